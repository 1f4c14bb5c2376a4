import { useState } from 'react'
import { cancelRun } from './cancel-run.ts'
import type { Cancelled } from './cancel-run.ts'
import type { PageEntry } from './enter-page.ts'
import { inBackground } from './in-background.ts'

/**
 * The state of stopping the current reply: there is none (`none`); it can be stopped (`ready`); the cancel
 * was sent (`stopping`); sending it failed (`failed`); the reply had ended already (`late`).
 */
export type StopStatus = 'none' | 'ready' | Cancelled

export interface Stop {
  readonly status: StopStatus
  readonly stop: () => void
}

interface AskedStop {
  readonly run: string
  readonly came: Cancelled
}

/** Stops the turn that the stream shows to be running, started by any tab or load of the page. */
export function useStop(entry: PageEntry, running: string | undefined): Stop {
  const [asked, setAsked] = useState<AskedStop>()
  const before = asked?.run === running ? asked : undefined
  const status = running === undefined ? 'none' : (before?.came ?? 'ready')
  const stop = (): void => {
    if (running === undefined || status === 'stopping' || status === 'late') return
    setAsked({ run: running, came: 'stopping' })
    inBackground(cancelRun(entry, running).then((came) => setAsked({ run: running, came })))
  }
  return { status, stop }
}
