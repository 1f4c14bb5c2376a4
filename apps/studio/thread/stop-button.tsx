import type { LiveAgentThread } from 'throughline/react'
import { Button, VisuallyHidden, inBackground } from '../../kit/index.ts'
import { useFocusOnLeave } from './use-focus-on-leave.ts'
import { WORDS } from './words.ts'

/** The cancels under way, and how to make one. */
export type Stops = Pick<LiveAgentThread, 'pending' | 'cancel'>

export interface StopButtonProps {
  readonly stops: Stops
  readonly run: string
  readonly label: string
  /** For screen readers: the thing that it stops. */
  readonly name?: string
}

/**
 * Stops a run and all below it. The button disappears when the run's end is on record, and moves its focus
 * to the element marked `data-focus-here`.
 */
export function StopButton({ stops, run, label, name }: StopButtonProps) {
  const part = useFocusOnLeave<HTMLSpanElement>()
  const phase = phaseOf(stops, run)
  return (
    <span ref={part}>
      <Button
        look="bare"
        readiness={phase === 'stopping' ? 'waiting' : 'ready'}
        onClick={() => inBackground(stops.cancel(run))}
      >
        <span aria-live="polite">{phase === 'ready' ? label : WORDS.stop[phase]}</span>
        {name !== undefined && <VisuallyHidden> {name}</VisuallyHidden>}
      </Button>
    </span>
  )
}

function phaseOf({ pending }: Stops, run: string): 'ready' | 'stopping' | 'failed' {
  const cancel = pending.find(({ request }) => request.kind === 'cancel' && request.run === run)
  if (!cancel) return 'ready'
  return cancel.state.status === 'failed' ? 'failed' : 'stopping'
}
