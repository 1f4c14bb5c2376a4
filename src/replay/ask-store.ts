import { ownerIn } from '../application/index.ts'
import type { App } from '../application/index.ts'
import { askTurn } from './ask-again.ts'
import type { AskedTurn } from './ask-again.ts'
import { AskSummary } from './ask-summary.ts'
import { loadApps } from './load-apps.ts'
import { openStoredThreads, recordsOf } from './stored-threads.ts'
import type { StoredThreads, StoredThreadsOptions } from './stored-threads.ts'
import { tokensIn, turnsIn } from './turns-on-record.ts'
import type { TurnOnRecord } from './turns-on-record.ts'

/** Turns that one command asks again. */
export const ASK_TURNS_MAX = 10_000

export interface AskRequest extends StoredThreadsOptions {
  /** All threads when it names none. */
  readonly threads: readonly string[]
  /** The path of a module whose applications are asked. */
  readonly against: string
  /** The path of the module that took the turns. */
  readonly base?: string | undefined
  readonly times: number
  /** No turn begins whose tokens on record would pass it. */
  readonly tokensMax: number
  /** Asked before the first model call. */
  readonly mayAsk: (plan: AskPlan) => Promise<boolean>
  readonly onTurn?: (turn: AskedTurn, done: number, total: number) => void
}

/** What asking would cost, by the usage on record. */
export interface AskPlan {
  readonly threads: number
  readonly turns: number
  /** Of all turns, asked `times` times. */
  readonly tokens: number
}

interface Planned {
  readonly app: App
  readonly turn: TurnOnRecord
}

/**
 * Takes turns of stored threads again with the agents of a module, and compares what their models propose. Gives
 * nothing where it may not ask.
 *
 * @throws {@link ReplayError} `no_definition`, `no_store`, {@link LogError} as `openLog` does
 */
export async function askStored(request: AskRequest): Promise<AskSummary | undefined> {
  const { times, tokensMax } = request
  const apps = await loadApps(request.against, 'ask by')
  const bases = request.base === undefined ? [] : await loadApps(request.base, 'ask by')
  const stored = await openStoredThreads(request)
  try {
    const { planned, threads } = await plan(stored, request.threads, apps)
    const tokens = times * planned.reduce((sum, { turn }) => sum + tokensIn(turn.records), 0)
    if (!(await request.mayAsk({ threads, turns: planned.length, tokens }))) return undefined
    const summary = new AskSummary(planned.length)
    for (const { app, turn } of planned) {
      if (summary.tokens + times * tokensIn(turn.records) > tokensMax) break
      const base = bases.find(({ name }) => name === app.name) ?? bases[0]
      const asked = await askTurn(turn, { stored, app, base, times })
      summary.take(asked)
      request.onTurn?.(asked, summary.turns, planned.length)
    }
    return summary
  } finally {
    await stored.close()
  }
}

async function plan(
  stored: StoredThreads,
  named: readonly string[],
  apps: readonly App[],
): Promise<{ readonly planned: readonly Planned[]; readonly threads: number }> {
  const planned: Planned[] = []
  const threads = new Set<string>()
  for (const thread of named.length > 0 ? named : await stored.names()) {
    const records = await recordsOf(stored, thread)
    const app = ownerIn(apps, records)
    if (!app) continue
    for (const turn of turnsIn(app, records)) {
      if (planned.length >= ASK_TURNS_MAX) return { planned, threads: threads.size }
      planned.push({ app, turn })
      threads.add(thread)
    }
  }
  return { planned, threads: threads.size }
}
