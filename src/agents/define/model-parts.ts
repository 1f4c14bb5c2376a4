import { isJsonObject, whyNotJson } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import { unusableAgent } from './agent-error.ts'
import type { Program } from './program.ts'

export type ProviderOptions = Readonly<Record<string, JsonObject>>

interface ModelParts {
  readonly files?: readonly string[]
  readonly providerOptions?: ProviderOptions
}

interface Given extends ModelParts {
  readonly name: string
  readonly program?: Pick<Program, 'files'>
}

const MEDIA_TYPES = /^[a-z]+\/(?:\*|[\w.+-]{1,100})$/

/** @throws {@link AgentError} `invalid_agent` */
export function modelPartsOf({ name, program, files: own, providerOptions }: Given): ModelParts {
  if (program && (own ?? providerOptions)) {
    const part = own ? 'files' : 'providerOptions'
    throw unusableAgent(name, `it has a program and \`${part}\`, which only a model is given`)
  }
  const files = own ?? program?.files
  const unfit = files?.find((type) => !MEDIA_TYPES.test(type))
  if (unfit !== undefined) {
    const why = `its \`files\` have "${unfit}", which is no media type; give such as "image/*"`
    throw unusableAgent(name, why)
  }
  const why = whyNoOptions(providerOptions)
  if (why !== undefined) throw unusableAgent(name, `its \`providerOptions\` ${why}`)
  return { ...(files && { files }), ...(providerOptions && { providerOptions }) }
}

function whyNoOptions(options: ProviderOptions = {}): string | undefined {
  const unfit = Object.entries<Json>(options).find(([, of]) => !isJsonObject(of))
  if (unfit) return `have "${unfit[0]}", which is no object of options`
  const why = whyNotJson(options, 'they')
  return why === undefined ? undefined : `are no JSON: ${why}`
}
