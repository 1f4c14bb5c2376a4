import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider'

/** A provider's requirements on a request beyond the interface. */
export interface ProviderWays {
  /** The ids of tool calls that it takes; others are given one that it does. */
  readonly callIds?: RegExp
  /** Whether a person may speak right after a tool's result. */
  readonly afterResult: 'anyone' | 'the assistant'
  /** Which thoughts go back to it: those that a provider signed, unsigned ones as well, or none. */
  readonly thoughts: 'signed' | 'all' | 'none'
  readonly options?: SharedV4ProviderOptions
  /** The version of the interface, which says how files are given. */
  readonly files: 'v3' | 'v4'
}

/** `mistral.chat`, and the names of its models wherever else they are served. */
const MISTRAL = /mistral|ministral|magistral|codestral|devstral|pixtral|mixtral/i
const OPENAI_RESPONSES = /^(openai|azure)\.responses$/
const STRICT_IDS = /(?:^|\.)(?:anthropic|openai|azure)\.|bedrock/
/** Matches providers of `createOpenAICompatible`; OpenAI and Azure accept no thoughts. */
const COMPATIBLE = /^(?!openai\.|azure\.).+\.chat$/

export function waysOf(
  model: Named & { readonly specificationVersion: 'v3' | 'v4' },
): ProviderWays {
  return { ...namedWays(model), files: model.specificationVersion }
}

type Named = Pick<LanguageModelV4, 'provider' | 'modelId'>

function namedWays({ provider, modelId }: Named): Omit<ProviderWays, 'files'> {
  if (MISTRAL.test(`${provider}/${modelId}`)) {
    return {
      callIds: /^[a-z\d]{9}$/i,
      afterResult: 'the assistant',
      thoughts: 'none',
    }
  }
  const [, responses] = OPENAI_RESPONSES.exec(provider) ?? []
  return {
    ...(STRICT_IDS.test(provider) ? { callIds: /^[\w-]{1,40}$/ } : {}),
    afterResult: 'anyone',
    thoughts: COMPATIBLE.test(provider) ? 'all' : 'signed',
    // The history is the log's: what OpenAI keeps it forgets after 30 days, and the thread would be refused.
    ...(responses === undefined ? {} : { options: { [responses]: { store: false } } }),
  }
}
