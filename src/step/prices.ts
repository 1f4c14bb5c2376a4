import type { TokenUsage } from '@ag-ui/core'

/** What a model's tokens cost, in any currency, by the million. */
export interface Price {
  readonly input: number
  readonly output: number
  /** Input tokens that the provider read from its cache; as `input` when absent. */
  readonly cachedInput?: number
  /** Input tokens that the provider wrote to its cache; as `input` when absent. */
  readonly cacheWrite?: number
}

/** Prices by `<provider>/<model>`, as the provider package names them, or by the model's name alone. */
export type Prices = Readonly<Record<string, Price>>

const MILLION = 1_000_000

export function priceOf(
  { provider = '', model = '' }: Pick<TokenUsage, 'provider' | 'model'>,
  prices: Prices = {},
): Price | undefined {
  // A remote agent names its models as it likes: one of them may be "constructor".
  const name = [`${provider}/${model}`, model].find((each) => Object.hasOwn(prices, each))
  return name === undefined ? undefined : prices[name]
}

/** What so many tokens cost at most, whatever the provider's cache does. */
export function highestCost(
  { input, output, cachedInput = input, cacheWrite = input }: Price,
  tokens: { readonly input: number; readonly output: number },
): number {
  const dearest = Math.max(input, cachedInput, cacheWrite)
  return (tokens.input * dearest + tokens.output * output) / MILLION
}

/** What a call cost; undefined when its price or its counts are not known, never 0 for that. */
export function costOf(usage: TokenUsage, prices: Prices | undefined): number | undefined {
  const price = priceOf(usage, prices)
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteInputTokens = 0 } = usage
  if (!price || inputTokens === undefined || outputTokens === undefined) return undefined
  const { input, output, cachedInput = input, cacheWrite = input } = price
  const plain = inputTokens - cachedInputTokens - cacheWriteInputTokens
  const sum =
    plain * input +
    cachedInputTokens * cachedInput +
    cacheWriteInputTokens * cacheWrite +
    outputTokens * output
  return sum / MILLION
}
