import type { LanguageModel } from 'throughline/agents'
import { ConfigurationError } from './configuration.ts'

interface Choice {
  readonly model: string
  readonly modelBaseUrl?: string
}

/**
 * The model that `MODEL` names: the application's scripted one, or a provider package's, loaded only when
 * it is used.
 *
 * @throws {@link ConfigurationError} for a provider that is not known
 */
export async function chooseModel(
  { model, modelBaseUrl }: Choice,
  scripted: LanguageModel,
): Promise<LanguageModel> {
  if (model === 'scripted') return scripted
  const slash = model.indexOf('/')
  const [provider, name] = [model.slice(0, slash), model.slice(slash + 1)]
  if (provider === 'anthropic' && name !== '') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic(modelBaseUrl === undefined ? {} : { baseURL: modelBaseUrl })(name)
  }
  throw new ConfigurationError(`MODEL is "${model}": use "scripted" or "anthropic/<model>"`)
}
