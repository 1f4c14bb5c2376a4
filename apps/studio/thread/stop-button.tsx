import { useState } from 'react'
import type { PageEntry } from '../../kit/index.ts'
import { Button, VisuallyHidden, cancelRun } from '../../kit/index.ts'
import { useFocusOnLeave } from './use-focus-on-leave.ts'
import { WORDS } from './words.ts'

export interface StopButtonProps {
  readonly entry: PageEntry
  readonly run: string
  readonly label: string
  /** Said to those who do not see beside what it stands. */
  readonly name?: string
}

/**
 * Stops a run and all below it. It goes when the run's end is on record; the focus, if it has it, then
 * moves to what it stood beside.
 */
export function StopButton({ entry, run, label, name }: StopButtonProps) {
  const [phase, setPhase] = useState<'ready' | 'stopping' | 'failed'>('ready')
  const part = useFocusOnLeave<HTMLSpanElement>()
  const stop = async (): Promise<void> => {
    setPhase('stopping')
    const came = await cancelRun(entry, run)
    setPhase(came === 'late' ? 'ready' : came)
  }
  return (
    <span ref={part}>
      <Button
        look="quiet"
        readiness={phase === 'stopping' ? 'waiting' : 'ready'}
        onClick={() => void stop()}
      >
        <span aria-live="polite">
          {phase === 'failed' ? WORDS.stop.failed : wordFor(phase, label)}
        </span>
        {name !== undefined && <VisuallyHidden> {name}</VisuallyHidden>}
      </Button>
    </span>
  )
}

function wordFor(phase: 'ready' | 'stopping', label: string): string {
  return phase === 'stopping' ? WORDS.stop.stopping : label
}
