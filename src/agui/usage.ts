import type { LogRecord } from '../log/index.ts'
import { customValue, membersOf, textOf } from './agent-event.ts'

const COUNTS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteInputTokens',
] as const

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
}

export interface UsageReport {
  /** What the agents at depth 0 used themselves. */
  readonly own: Usage
  readonly total: Usage
  readonly byAgent: Readonly<Record<string, Usage>>
  /** By `<provider>/<model>`. */
  readonly byModel: Readonly<Record<string, Usage>>
}

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
    const call = usageOf(record)
    if (!call) continue
    const { agent = '', depth } = record.origin
    report = {
      own: depth === 0 ? add(report.own, call.usage) : report.own,
      total: add(report.total, call.usage),
      byAgent: addTo(report.byAgent, agent, call.usage),
      byModel: addTo(report.byModel, call.model, call.usage),
    }
  }
  return report
}

/** What the model call that a record reports used, or undefined when it reports none. */
export function usageOf(
  record: LogRecord,
): { readonly model: string; readonly usage: Usage } | undefined {
  const output = customValue(record, 'model_output')
  if (output === undefined) return undefined
  const given = membersOf(membersOf(output)['usage'] ?? null)
  const counts: { -readonly [Name in keyof Counts]: number } = {}
  for (const name of COUNTS) {
    const count = given[name]
    if (typeof count === 'number') counts[name] = count
  }
  const cost = membersOf(output)['cost']
  const priced = typeof cost === 'number'
  const model = [textOf(given, 'provider'), textOf(given, 'model')].filter(Boolean).join('/')
  const unreported = Object.keys(counts).length === 0 ? 1 : 0
  const usage = { ...counts, calls: 1, unreported, unpriced: priced ? 0 : 1 }
  return { model, usage: priced ? { ...usage, cost } : usage }
}

function add(one: Usage, other: Usage): Usage {
  const sum: { -readonly [Name in keyof Usage]: Usage[Name] } = {
    calls: one.calls + other.calls,
    unreported: one.unreported + other.unreported,
    unpriced: one.unpriced + other.unpriced,
  }
  for (const name of [...COUNTS, 'cost'] as const) {
    const [left, right] = [one[name], other[name]]
    if (left !== undefined || right !== undefined) sum[name] = (left ?? 0) + (right ?? 0)
  }
  return sum
}

function addTo(
  usages: Readonly<Record<string, Usage>>,
  key: string,
  usage: Usage,
): Readonly<Record<string, Usage>> {
  return { ...usages, [key]: add(usages[key] ?? NO_USAGE, usage) }
}
