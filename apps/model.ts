import type { LanguageModel } from 'throughline'
import { ConfigurationError } from './configuration-error.ts'
import { MODEL_PROVIDERS } from './model-providers.ts'

interface Choice {
  readonly model: string
  readonly modelBaseUrl?: string
  readonly modelKey?: string
}

/**
 * The model that `MODEL` names: the application's scripted one, or a provider package's, loaded only when
 * it is used.
 *
 * @throws {@link ConfigurationError} for a provider that is not known, or one that lacks its key or address
 */
export async function chooseModel(
  { model, modelBaseUrl, modelKey }: Choice,
  scripted: LanguageModel,
): Promise<LanguageModel> {
  if (model === 'scripted') return scripted
  const slash = model.indexOf('/')
  const [id, name] = [model.slice(0, slash), model.slice(slash + 1)]
  const provider = Object.hasOwn(MODEL_PROVIDERS, id) ? MODEL_PROVIDERS[id] : undefined
  if (provider === undefined || name === '') {
    const known = Object.keys(MODEL_PROVIDERS).join(', ')
    throw new ConfigurationError(
      `MODEL is "${model}": use "scripted", or "<provider>/<model>" with one of ${known}`,
    )
  }
  if (provider.key === 'required' && modelKey === undefined) {
    throw new ConfigurationError(
      `${provider.keyVariable} is not set, which MODEL "${model}" needs: set it to the provider's key`,
    )
  }
  if (provider.baseUrl === 'required' && modelBaseUrl === undefined) {
    throw new ConfigurationError(
      `MODEL_BASE_URL is not set, which MODEL "${model}" needs: set it to the server's address, such as http://127.0.0.1:8000/v1`,
    )
  }
  return provider.open({
    name,
    ...(modelBaseUrl === undefined ? {} : { baseURL: modelBaseUrl }),
    ...(modelKey === undefined ? {} : { apiKey: modelKey }),
  })
}
