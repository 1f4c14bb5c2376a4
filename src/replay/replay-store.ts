import type { ThreadReport } from './difference.ts'
import { ReplaySummary } from './replay-summary.ts'
import { replayInWorkers } from './replay-pool.ts'
import type { PoolRequest } from './replay-pool.ts'
import { openStoredThreads } from './stored-threads.ts'

export interface ReplayRequest extends Omit<PoolRequest, 'threads' | 'take'> {
  /** All threads when it names none. */
  readonly threads: readonly string[]
  /** Gets each report, with the summary until then and the number of all threads. */
  readonly onReport?: (report: ThreadReport, until: ReplaySummary, total: number) => void
}

/**
 * Replays stored threads against the definitions of a module, in workers, and changes nothing.
 *
 * @throws {@link ReplayError}, {@link LogError} where the store or the module cannot be used
 */
export async function replayStored(request: ReplayRequest): Promise<ReplaySummary> {
  const threads = request.threads.length > 0 ? request.threads : await namesIn(request)
  const summary = new ReplaySummary()
  const take = (reports: readonly ThreadReport[]): void => {
    for (const report of reports) {
      summary.take(report)
      request.onReport?.(report, summary, threads.length)
    }
  }
  await replayInWorkers({ ...request, threads, take })
  return summary
}

async function namesIn(request: ReplayRequest): Promise<readonly string[]> {
  const stored = await openStoredThreads(request)
  try {
    return await stored.names()
  } finally {
    await stored.close()
  }
}
