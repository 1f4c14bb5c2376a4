import type { OpenWork, Runs } from '../agents/index.ts'

/** The work that a process has not done yet. */
export interface ProcessLoad {
  /** How long threads that have grown have waited for a look, in milliseconds. */
  readonly feedLagMs: number
  /** Threads whose effects or deadlines are due or at work. */
  readonly dueThreads: number
  /** Threads whose effects or deadlines wait for their time. */
  readonly timedThreads: number
}

export function loadOf(
  { lagMs: feedLagMs }: Pick<OpenWork, 'lagMs'>,
  apps: readonly { readonly runs: Pick<Runs<never>, 'dueWork'> }[],
): ProcessLoad {
  const loads = apps.map(({ runs }) => runs.dueWork())
  const dueThreads = loads.reduce((sum, { due }) => sum + due, 0)
  const timedThreads = loads.reduce((sum, { timed }) => sum + timed, 0)
  return { feedLagMs, dueThreads, timedThreads }
}
