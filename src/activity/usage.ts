import type { LogRecord } from '../log/index.ts'
import { customValue } from './agent-event.ts'
import { membersOf, textOf } from '../json/index.ts'

export const COUNTS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteInputTokens',
] as const

const SUMMED = [...COUNTS, 'cost', 'unreportedTokens', 'unreportedCost'] as const

type Counts = { readonly [Name in (typeof COUNTS)[number]]?: number }

/**
 * What model calls used. A count that no call reported is absent, never 0; `unreported` says how many
 * calls told nothing (failed and stopped ones mostly), so that a sum is known to be a part.
 */
export interface Usage extends Counts {
  readonly calls: number
  readonly unreported: number
  /** In the currency of the prices that were given; absent when no call had a price. */
  readonly cost?: number
  /** Calls without a price. */
  readonly unpriced: number
  /** The most that calls may have used that did not tell it all; absent when all did. */
  readonly unreportedTokens?: number
  /** The most that such calls may have cost, as far as they have a price. */
  readonly unreportedCost?: number
}

export interface UsageReport {
  /** What the agents at depth 0 used themselves. */
  readonly own: Usage
  readonly total: Usage
  readonly byAgent: Readonly<Record<string, Usage>>
  /** By `<provider>/<model>`. */
  readonly byModel: Readonly<Record<string, Usage>>
}

/** What the model calls of a thread used on the last UTC day on which it had any. */
export interface DayUsage {
  /** Days since the epoch. */
  readonly day: number
  /** Those of calls that told nothing count as what was reserved for them. */
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
    const usage = { ...one(call.usage), ...unreportedIn(record, call.usage) }
    report = {
      own: depth === 0 ? add(report.own, usage) : report.own,
      total: add(report.total, usage),
      byAgent: addTo(report.byAgent, agent, usage),
      byModel: addTo(report.byModel, call.model, usage),
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
    const { unreportedTokens = 0 } = unreportedIn(record, call.usage)
    const tokens = inputTokens + outputTokens + unreportedTokens
    const day = Math.floor(record.ts / DAY_MS)
    // A clock that goes back must not open a day's budget once more.
    sum = day > sum.day ? { day, tokens } : { day: sum.day, tokens: sum.tokens + tokens }
  }
  return sum
}

/** Adds one model call, without the tokens and the cost that were reserved for it. */
export function addCall(before: Usage, call: CallUsage): Usage {
  const known: { -readonly [Name in keyof CallUsage]: number } = {}
  for (const name of [...COUNTS, 'cost'] as const) {
    const count = call[name]
    if (count !== undefined) known[name] = count
  }
  return add(before, one(known))
}

/** What one model call used; counts and cost that are not known are absent. */
export type CallUsage = Counts & { readonly cost?: number }

/** The model call that a record reports, or undefined when it reports none. */
export function modelCallOf(
  record: LogRecord,
): { readonly model: string; readonly usage: CallUsage } | undefined {
  const output = customValue(record, 'model_output')
  if (output === undefined) return undefined
  const given = membersOf(membersOf(output)['usage'] ?? null)
  const usage: { -readonly [Name in keyof CallUsage]: number } = {}
  for (const name of COUNTS) {
    const count = given[name]
    if (typeof count === 'number') usage[name] = count
  }
  const cost = membersOf(output)['cost']
  if (typeof cost === 'number') usage.cost = cost
  const model = [textOf(given, 'provider'), textOf(given, 'model')].filter(Boolean).join('/')
  return { model, usage }
}

function one(usage: CallUsage): Usage {
  const { cost, ...counts } = usage
  return {
    ...usage,
    calls: 1,
    unreported: Object.keys(counts).length === 0 ? 1 : 0,
    unpriced: cost === undefined ? 1 : 0,
  }
}

/** What was set aside for a call and was not told to be used, but may have been. */
function unreportedIn(
  record: LogRecord,
  { inputTokens = 0, outputTokens = 0 }: CallUsage,
): Pick<Usage, 'unreportedTokens' | 'unreportedCost'> {
  const output = membersOf(customValue(record, 'model_output') ?? null)
  const { tokens, cost } = membersOf(output['reserved'] ?? null)
  return {
    ...(typeof tokens === 'number'
      ? { unreportedTokens: Math.max(0, tokens - inputTokens - outputTokens) }
      : {}),
    ...(typeof cost === 'number' ? { unreportedCost: cost } : {}),
  }
}

function add(before: Usage, more: Usage): Usage {
  const sum: { -readonly [Name in keyof Usage]: Usage[Name] } = {
    calls: before.calls + more.calls,
    unreported: before.unreported + more.unreported,
    unpriced: before.unpriced + more.unpriced,
  }
  for (const name of SUMMED) {
    const [left, right] = [before[name], more[name]]
    if (left !== undefined || right !== undefined) sum[name] = (left ?? 0) + (right ?? 0)
  }
  // Sums of money gather noise in their last digits.
  if (sum.cost !== undefined) sum.cost = Number(sum.cost.toPrecision(SUM_DIGITS_MAX))
  return sum
}

function addTo(
  usages: Readonly<Record<string, Usage>>,
  key: string,
  usage: Usage,
): Readonly<Record<string, Usage>> {
  // Names are the user's: one of them may be "constructor".
  const before = Object.hasOwn(usages, key) ? usages[key] : undefined
  return { ...usages, [key]: before ? add(before, usage) : usage }
}
