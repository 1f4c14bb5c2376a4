import { kindOf } from '../../json/index.ts'
import type { LanguageModel } from '../../models/index.ts'
import type { Program } from './program.ts'

const MODEL_MEND =
  'give one of a provider package, such as `anthropic(…)` of @ai-sdk/anthropic, or `scriptedModel`'

/** The versions of the AI SDK's provider interface that are read. */
const VERSIONS: Readonly<Record<LanguageModel['specificationVersion'], true>> = {
  v3: true,
  v4: true,
}

/** Says why nothing can answer for an agent. A program without types may give anything, or nothing. */
export function whyNoMind(
  model: Partial<LanguageModel> | undefined,
  program: Partial<Program> | undefined,
): string | undefined {
  if (model !== undefined && program !== undefined) {
    return 'it has a model and a program; give one of them'
  }
  if (program !== undefined) {
    return typeof program.step === 'function' ? undefined : 'its program has no function "step"'
  }
  if (model === undefined) return `it has no model and no program; ${MODEL_MEND}`
  if (typeof model?.doStream !== 'function') {
    return `its model is none of the AI SDK’s language models; ${MODEL_MEND}`
  }
  const { specificationVersion: version } = model
  if (typeof version === 'string' && Object.hasOwn(VERSIONS, version)) return undefined
  const given = typeof version === 'string' ? `"${version}"` : kindOf(version)
  return (
    `its model has the interface version ${given}, and "v3" and "v4" are read; ` +
    'update its provider package'
  )
}
