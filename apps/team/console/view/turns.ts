import type { TeamEvent } from '../../events/payloads.ts'
import { countCalls } from './talk.ts'
import type { Entries } from './talk.ts'

/** What one turn used, and whose it was. */
export interface TurnUsage {
  readonly key: number
  readonly ts: number
  readonly sessionId: string | null
  readonly who: string
  readonly outcome: 'success' | 'error' | 'timeout'
  readonly costUsd: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreationTokens: number
  readonly calls: number
  readonly failedCalls: number
}

export function turnUsage(
  { entries, turns }: { readonly entries: Entries; readonly turns: readonly TurnUsage[] },
  event: Extract<TeamEvent, { type: 'claude_result' }>,
  who: string,
): TurnUsage {
  const { id: key, ts, sessionId, subtype: outcome, costUsd, usage } = event
  const after = turns.at(-1)?.key ?? -1
  const since = entries.flatMap((entry) =>
    entry.kind === 'agent' && entry.key > after ? entry.parts : [],
  )
  const { calls, failed: failedCalls } = countCalls(since)
  return { key, ts, sessionId, who, outcome, costUsd: costUsd ?? 0, ...usage, calls, failedCalls }
}

export type Sums = Omit<TurnUsage, 'key' | 'ts' | 'sessionId' | 'who' | 'outcome'> & {
  readonly turns: number
}

export const NOTHING: Sums = {
  turns: 0,
  costUsd: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  calls: 0,
  failedCalls: 0,
}

export function sumOf(turns: readonly TurnUsage[]): Sums {
  return turns.reduce(
    (sum, turn) => ({
      turns: sum.turns + 1,
      costUsd: sum.costUsd + turn.costUsd,
      inputTokens: sum.inputTokens + turn.inputTokens,
      outputTokens: sum.outputTokens + turn.outputTokens,
      cacheReadTokens: sum.cacheReadTokens + turn.cacheReadTokens,
      cacheCreationTokens: sum.cacheCreationTokens + turn.cacheCreationTokens,
      calls: sum.calls + turn.calls,
      failedCalls: sum.failedCalls + turn.failedCalls,
    }),
    NOTHING,
  )
}

/** The sums of each agent, the one that cost most first. */
export function sumsByAgent(
  turns: readonly TurnUsage[],
): readonly (Sums & { readonly who: string })[] {
  const names = [...new Set(turns.map(({ who }) => who))]
  return names
    .map((who) => ({ who, ...sumOf(turns.filter((turn) => turn.who === who)) }))
    .toSorted((one, other) => other.costUsd - one.costUsd || other.turns - one.turns)
}
