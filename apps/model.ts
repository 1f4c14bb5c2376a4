import type { LanguageModel } from 'throughline/agents'
import { scriptedNarrator } from './broker/narrator/index.ts'
import { ConfigurationError } from './configuration.ts'

interface Choice {
  readonly model: string
  readonly modelBaseUrl?: string
}

/** Milliseconds between the parts that the scripted model streams: slow enough to be seen. */
const SCRIPTED_CHUNK_DELAY_MS = 15

/**
 * The model that `MODEL` names: the scripted one, or a provider package's, loaded only when it is used.
 *
 * @throws {@link ConfigurationError} for a provider that is not known
 */
export async function chooseModel({ model, modelBaseUrl }: Choice): Promise<LanguageModel> {
  if (model === 'scripted') return scriptedNarrator({ chunkDelayMs: SCRIPTED_CHUNK_DELAY_MS })
  const slash = model.indexOf('/')
  const [provider, name] = [model.slice(0, slash), model.slice(slash + 1)]
  if (provider === 'anthropic' && name !== '') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic(modelBaseUrl === undefined ? {} : { baseURL: modelBaseUrl })(name)
  }
  throw new ConfigurationError(`MODEL is "${model}": use "scripted" or "anthropic/<model>"`)
}
