import type { TokenUsage } from '@ag-ui/core'

/** Prices of a model's tokens, in any currency, by the million. */
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
  const name = `${provider}/${model}`
  if (Object.hasOwn(prices, name)) return prices[name]
  return Object.hasOwn(prices, model) ? prices[model] : undefined
}

/** Returns the highest possible cost of so many tokens, with or without the provider's cache. */
export function highestCost(
  { input, output, cachedInput = input, cacheWrite = input }: Price,
  tokens: { readonly input: number; readonly output: number },
): number {
  const dearest = Math.max(input, cachedInput, cacheWrite)
  return (tokens.input * dearest + tokens.output * output) / MILLION
}

/** Returns the cost of a call; undefined, not 0, when its price or its counts are not known. */
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
