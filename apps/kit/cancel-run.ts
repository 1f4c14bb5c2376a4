import { threadUrl } from './api.ts'
import { ClientError } from 'throughline/client'
import type { PageEntry } from './enter-page.ts'
import { sessionRequest } from './session-request.ts'

/** The result of a cancel request; `late`: the run has ended, or its end is on its way. */
export type Cancelled = 'stopping' | 'late' | 'failed'

/** Asks a run and all below it to stop. Only the stream shows that it has stopped. */
export async function cancelRun({ thread, role }: PageEntry, run: string): Promise<Cancelled> {
  const path = `${threadUrl(thread)}/runs/${encodeURIComponent(run)}/cancel`
  try {
    await sessionRequest(path, role, { body: {} })
    return 'stopping'
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    return error.problem?.code === 'not_running' ? 'late' : 'failed'
  }
}
