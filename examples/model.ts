import { MODEL_PROVIDERS } from '../apps/model-providers.ts'
import { scriptedModel } from '../src/public/index.ts'
import type { LanguageModel } from '../src/models/index.ts'

export interface Part {
  /** How the model shows in the usage. */
  readonly modelId?: string
  /** Its answers while no real model is chosen. */
  readonly script: Parameters<typeof scriptedModel>[0]
}

/** The real model with `MODEL=<provider>/<name>` and the provider's key, otherwise a script. */
export function model({ modelId = 'scripted', script }: Part): LanguageModel {
  return real ?? scriptedModel(script, { modelId, chunkDelayMs: 20 })
}

const real = await chosen(process.env)

async function chosen({
  MODEL = 'scripted',
  MODEL_BASE_URL: baseURL,
  ...keys
}: NodeJS.ProcessEnv): Promise<LanguageModel | undefined> {
  if (MODEL === 'scripted') return undefined
  const [, id = '', name = ''] = /^([^/]+)\/(.+)$/.exec(MODEL) ?? []
  const provider = Object.hasOwn(MODEL_PROVIDERS, id) ? MODEL_PROVIDERS[id] : undefined
  if (!provider) {
    const known = Object.keys(MODEL_PROVIDERS).join(', ')
    throw new Error(`MODEL is "${MODEL}": use "<provider>/<model>" with one of ${known}`)
  }
  const apiKey = keys[provider.keyVariable]
  return provider.open({ name, ...(baseURL ? { baseURL } : {}), ...(apiKey ? { apiKey } : {}) })
}
