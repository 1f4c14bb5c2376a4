import { useState } from 'react'
import { ClientError } from 'throughline/client'
import type { PageEntry } from './enter-page.ts'
import { sessionRequest } from './session-request.ts'

/**
 * What can be done about the reply that is being written: `none` is; it can be stopped (`ready`); it is
 * told to (`stopping`); the server could not be told (`failed`); it was over already (`late`).
 */
export type StopStatus = 'none' | 'ready' | 'stopping' | 'failed' | 'late'

export interface Stop {
  readonly status: StopStatus
  readonly stop: () => void
}

interface Asked {
  readonly run: string
  readonly came: 'stopping' | 'failed' | 'late'
}

/** Stops the turn that the stream shows to be running, whichever tab or load of the page began it. */
export function useStop(entry: PageEntry, running: string | undefined): Stop {
  const [asked, setAsked] = useState<Asked>()
  const before = asked?.run === running ? asked : undefined
  const status = running === undefined ? 'none' : (before?.came ?? 'ready')
  const stop = (): void => {
    if (running === undefined || status === 'stopping' || status === 'late') return
    setAsked({ run: running, came: 'stopping' })
    void cancel(entry, running).then((came) => setAsked({ run: running, came }))
  }
  return { status, stop }
}

/** That it has stopped is told by the stream alone. */
async function cancel({ thread, role }: PageEntry, run: string): Promise<Asked['came']> {
  const path = `/api/threads/${encodeURIComponent(thread)}/runs/${encodeURIComponent(run)}/cancel`
  try {
    await sessionRequest(path, role, { body: {} })
    return 'stopping'
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    return error.problem?.code === 'not_running' ? 'late' : 'failed'
  }
}
