import type { TokenUsage } from '@ag-ui/core'
import type { NewEvent, Origin } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import type { Estimate } from './budget.ts'
import { costOf } from './prices.ts'
import type { Prices } from './prices.ts'
import { customTagged } from './step-events.ts'

export interface ModelOutput {
  readonly origin: Origin
  readonly usage: TokenUsage
  readonly prices: Prices | undefined
  /** The tokens reserved for the call: they count as used where the provider reports no usage. */
  readonly reserved: Estimate | undefined
  readonly more: Readonly<Record<string, Json>>
}

/** The record that answers for a model call, however it ended. */
export function modelOutput({ origin, usage, prices, reserved, more }: ModelOutput): NewEvent {
  const cost = costOf(usage, prices)
  const { inputTokens, outputTokens } = usage
  const told = inputTokens !== undefined && outputTokens !== undefined
  const value = {
    ...more,
    // Token counts are plain JSON; their type is an interface without an index signature.
    usage: usage as unknown as Json,
    ...(cost === undefined ? {} : { cost }),
    ...(told || !reserved ? {} : { reserved: { ...reserved } }),
  }
  return customTagged('model_output', value, origin)
}
