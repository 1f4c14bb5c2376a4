import type { TokenUsage } from '@ag-ui/core'
import type { LogRecord } from '../log/index.ts'
import { customValue } from './agent-event.ts'
import { membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'

type Counts = { readonly [Name in Exclude<keyof TokenUsage, 'provider' | 'model'>]?: number }
type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] }

/**
 * The usage of model calls. A count that no call reported is absent, never 0; `unreported` counts the
 * calls without counts (mostly failed and stopped ones), which the sums leave out.
 */
export interface Usage extends Counts {
  readonly calls: number
  readonly unreported: number
  /** In the currency of the prices that were given; absent when no call had a price. */
  readonly cost?: number
  /** Calls without a price. */
  readonly unpriced: number
  /** The highest possible usage of calls that did not report all; absent when all did. */
  readonly unreportedTokens?: number
  /** The most that such calls may have cost, as far as they have a price. */
  readonly unreportedCost?: number
}

export interface UsageReport {
  /** The usage of the agents at depth 0, without their sub-agents. */
  readonly own: Usage
  readonly total: Usage
  readonly byAgent: Readonly<Record<string, Usage>>
  /** By `<provider>/<model>`. */
  readonly byModel: Readonly<Record<string, Usage>>
}

/** The usage of a thread's model calls on the last UTC day on which it had any. */
export interface DayUsage {
  /** Days since the epoch. */
  readonly day: number
  /** Calls that reported nothing count as the tokens that were reserved for them. */
  readonly tokens: number
}

export const DAY_MS = 86_400_000

const SUM_DIGITS_MAX = 15

export const NO_DAY_USAGE: DayUsage = { day: 0, tokens: 0 }

export const NO_USAGE: Usage = { calls: 0, unreported: 0, unpriced: 0 }

export const NO_USAGE_REPORT: UsageReport = {
  own: NO_USAGE,
  total: NO_USAGE,
  byAgent: {},
  byModel: {},
}

/** Adds up the model calls among records, those that failed or were stopped included. Pure. */
export function foldUsage(report: UsageReport, records: Iterable<LogRecord>): UsageReport {
  for (const record of records) {
    const call = modelCallOf(record)
    if (!call) continue
    const { agent = '', depth } = record.origin
    report = {
      own: depth === 0 ? add(report.own, call) : report.own,
      total: add(report.total, call),
      byAgent: addTo(report.byAgent, agent, call),
      byModel: addTo(report.byModel, call.model, call),
    }
  }
  return report
}

/** Adds up what the model calls among records used on the latest of their days. Pure. */
export function foldDayUsage(sum: DayUsage, records: Iterable<LogRecord>): DayUsage {
  for (const record of records) {
    const call = modelCallOf(record)
    if (!call) continue
    const { inputTokens = 0, outputTokens = 0 } = call.usage
    const { unreportedTokens = 0 } = call.unreported
    const tokens = inputTokens + outputTokens + unreportedTokens
    const day = Math.floor(record.ts / DAY_MS)
    // A clock that goes back must not open a day's budget again.
    sum = day > sum.day ? { day, tokens } : { day: sum.day, tokens: sum.tokens + tokens }
  }
  return sum
}

/** Adds one model call, without the tokens and the cost that were reserved for it. */
export function addCall(before: Usage, { cost, ...counts }: CallUsage): Usage {
  const usage: Mutable<CallUsage> = {}
  addCounts(usage, counts)
  if (cost !== undefined) usage.cost = cost
  return add(before, { usage, unreported: {} })
}

/** The usage of one model call; unknown counts and costs are absent. */
export type CallUsage = Counts & { readonly cost?: number }

interface ModelCall {
  /** `<provider>/<model>` */
  readonly model: string
  readonly usage: CallUsage
  /** Reserved for it and not reported as used, but possibly used. */
  readonly unreported: Pick<Usage, 'unreportedTokens' | 'unreportedCost'>
}

/** The model call that a record reports, or undefined when it reports none. */
export function modelCallOf(record: LogRecord): ModelCall | undefined {
  const value = customValue(record, 'model_output')
  if (value === undefined) return undefined
  const { usage: given = null, cost, reserved = null } = membersOf(value)
  const usage: Mutable<CallUsage> = {}
  addCounts(usage, membersOf(given))
  if (typeof cost === 'number') usage.cost = cost
  const [provider, model] = [textOf(given, 'provider'), textOf(given, 'model')]
  return {
    model: provider && model ? `${provider}/${model}` : provider || model,
    usage,
    unreported: unreportedOf(reserved, usage),
  }
}

/** Adds the tokens of one model call to a sum that has one entry for each model. */
export function addTokenUsage(
  before: readonly TokenUsage[],
  modelOutput: Json,
): readonly TokenUsage[] {
  const given = membersOf(membersOf(modelOutput)['usage'] ?? null)
  const [provider, model] = [textOf(given, 'provider'), textOf(given, 'model')]
  const at = before.findIndex((each) => each.provider === provider && each.model === model)
  const sum: TokenUsage = { ...(before[at] ?? { provider, model }) }
  addCounts(sum, given)
  return at < 0 ? [...before, sum] : before.with(at, sum)
}

/** Adds counts, read from a record or summed before. A loop over their names takes ten times as long. */
function addCounts(
  sum: Mutable<Counts>,
  more: { readonly [Name in keyof Counts]: Json | undefined },
): void {
  const { inputTokens, outputTokens, totalTokens } = more
  const { reasoningTokens, cachedInputTokens, cacheWriteInputTokens } = more
  if (isNumber(inputTokens)) sum.inputTokens = plus(sum.inputTokens, inputTokens)
  if (isNumber(outputTokens)) sum.outputTokens = plus(sum.outputTokens, outputTokens)
  if (isNumber(totalTokens)) sum.totalTokens = plus(sum.totalTokens, totalTokens)
  if (isNumber(reasoningTokens)) sum.reasoningTokens = plus(sum.reasoningTokens, reasoningTokens)
  if (isNumber(cachedInputTokens))
    sum.cachedInputTokens = plus(sum.cachedInputTokens, cachedInputTokens)
  if (isNumber(cacheWriteInputTokens))
    sum.cacheWriteInputTokens = plus(sum.cacheWriteInputTokens, cacheWriteInputTokens)
}

function isNumber(value: Json | undefined): value is number {
  return typeof value === 'number'
}

function plus(sum: number | undefined, more: number): number {
  return (sum ?? 0) + more
}

function unreportedOf(
  reserved: Json,
  { inputTokens = 0, outputTokens = 0 }: CallUsage,
): ModelCall['unreported'] {
  const { tokens, cost } = membersOf(reserved)
  const unreported: Mutable<ModelCall['unreported']> = {}
  if (isNumber(tokens)) {
    unreported.unreportedTokens = Math.max(0, tokens - inputTokens - outputTokens)
  }
  if (isNumber(cost)) unreported.unreportedCost = cost
  return unreported
}

function add(before: Usage, { usage, unreported }: Pick<ModelCall, 'usage' | 'unreported'>): Usage {
  const { cost } = usage
  const sum: Mutable<Usage> = {
    ...before,
    calls: before.calls + 1,
    unreported: before.unreported + (hasCounts(usage) ? 0 : 1),
    unpriced: before.unpriced + (cost === undefined ? 1 : 0),
  }
  addCounts(sum, usage)
  const { unreportedTokens, unreportedCost } = unreported
  // Sums of money gather noise in their last digits.
  if (cost !== undefined) sum.cost = Number(plus(sum.cost, cost).toPrecision(SUM_DIGITS_MAX))
  if (unreportedTokens !== undefined)
    sum.unreportedTokens = plus(sum.unreportedTokens, unreportedTokens)
  if (unreportedCost !== undefined) sum.unreportedCost = plus(sum.unreportedCost, unreportedCost)
  return sum
}

function hasCounts(usage: CallUsage): boolean {
  return Object.keys(usage).length > (usage.cost === undefined ? 0 : 1)
}

function addTo(
  usages: Readonly<Record<string, Usage>>,
  key: string,
  call: ModelCall,
): Readonly<Record<string, Usage>> {
  // Names are the user's: one of them may be "constructor".
  const before = Object.hasOwn(usages, key) ? usages[key] : undefined
  return { ...usages, [key]: add(before ?? NO_USAGE, call) }
}
