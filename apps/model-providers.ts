import type { LanguageModel } from 'throughline'

export interface ModelSettings {
  readonly name: string
  readonly baseURL?: string
  readonly apiKey?: string
}

export interface ModelProvider {
  /** The variable of its key, as the provider's own tools read it. */
  readonly keyVariable: string
  readonly key: 'required' | 'optional'
  /** `required` where no address could be guessed. */
  readonly baseUrl: 'required' | 'optional'
  /** Loads the provider's package, which alone may be large, and opens a model of it. */
  readonly open: (settings: ModelSettings) => Promise<LanguageModel>
}

const OLLAMA_URL = 'http://127.0.0.1:11434/v1'

/** The providers that `MODEL` may name. */
export const MODEL_PROVIDERS: Readonly<Record<string, ModelProvider>> = {
  anthropic: {
    keyVariable: 'ANTHROPIC_API_KEY',
    key: 'required',
    baseUrl: 'optional',
    open: async ({ name, ...settings }) =>
      (await import('@ai-sdk/anthropic')).createAnthropic(settings)(name),
  },
  openai: {
    keyVariable: 'OPENAI_API_KEY',
    key: 'required',
    baseUrl: 'optional',
    open: async ({ name, ...settings }) =>
      (await import('@ai-sdk/openai')).createOpenAI(settings)(name),
  },
  google: {
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    key: 'required',
    baseUrl: 'optional',
    open: async ({ name, ...settings }) =>
      (await import('@ai-sdk/google')).createGoogle(settings)(name),
  },
  mistral: {
    keyVariable: 'MISTRAL_API_KEY',
    key: 'required',
    baseUrl: 'optional',
    open: async ({ name, ...settings }) =>
      (await import('@ai-sdk/mistral')).createMistral(settings)(name),
  },
  'openai-compatible': {
    keyVariable: 'OPENAI_COMPATIBLE_API_KEY',
    key: 'optional',
    baseUrl: 'required',
    open: (settings) => openCompatible('openai-compatible', settings),
  },
  ollama: {
    keyVariable: 'OLLAMA_API_KEY',
    key: 'optional',
    baseUrl: 'optional',
    open: (settings) => openCompatible('ollama', settings),
  },
}

async function openCompatible(
  provider: string,
  { name, baseURL = OLLAMA_URL, ...settings }: ModelSettings,
): Promise<LanguageModel> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const usage = { includeUsage: true }
  return createOpenAICompatible({ name: provider, baseURL, ...usage, ...settings })(name)
}
