import { OUTPUT_TOKENS_MAX } from '../models/index.ts'
import type { LanguageModel, ModelCall, ModelFile, ModelMessage } from '../models/index.ts'
import { FILE_CHARS } from './compaction-plan.ts'
import type { Estimate } from './budget.ts'
import { highestCost, priceOf } from './prices.ts'
import type { Prices } from './prices.ts'

/** Bytes of prompt that are reckoned as a token when one is reserved: more than any text needs. */
const BYTES_PER_TOKEN_MIN = 2
/** The overhead of a provider's encoding of a message. */
const TEXT_FRAME_BYTES = 64
const UTF8 = new TextEncoder()

export interface EstimatedCall {
  readonly model: LanguageModel
  readonly maxOutputTokens?: number | undefined
  readonly prices?: Prices | undefined
}

/** The most that a call with these texts in its prompt can use. */
export function estimateOf(
  { model, maxOutputTokens: output = OUTPUT_TOKENS_MAX, prices }: EstimatedCall,
  texts: readonly string[],
): Estimate {
  let bytes = texts.length * TEXT_FRAME_BYTES
  for (const text of texts) bytes += UTF8.encode(text).length
  const input = Math.ceil(bytes / BYTES_PER_TOKEN_MIN)
  const price = priceOf({ provider: model.provider, model: model.modelId }, prices)
  const cost = price && highestCost(price, { input, output })
  return { tokens: input + output, ...(cost === undefined ? {} : { cost }) }
}

/** Every text that a call gives to its model, except its tools. */
export function textsOf({ system, messages }: ModelCall): readonly string[] {
  return [system, ...messages.flatMap(textsIn)]
}

/** For an image, and for a file that only the provider reads. */
const UNREAD = ' '.repeat(FILE_CHARS)

function textsIn(message: ModelMessage): readonly string[] {
  if (message.role === 'user') return [message.text, ...(message.files ?? []).map(textFor)]
  if (message.role !== 'assistant') return [message.text]
  const { text, reasoning = [], toolCalls = [] } = message
  const thoughts = reasoning.flatMap((thought) => [thought.text, thought.encrypted ?? ''])
  const calls = toolCalls.flatMap(({ name, input, encrypted = '' }) => [name, input, encrypted])
  return [text, ...thoughts, ...calls]
}

/** A text that takes at least as many tokens. */
function textFor({ mediaType, data }: ModelFile): string {
  return 'base64' in data && !mediaType.startsWith('image') ? data.base64 : UNREAD
}
