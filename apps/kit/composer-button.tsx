import type { Readiness } from './button.tsx'
import { Button } from './button.tsx'
import type { Stop } from './use-stop.ts'
import { WORDS } from './words.ts'

export interface ComposerButtonProps {
  readonly readiness: Readiness
  readonly stop: Stop | undefined
}

/**
 * Sends, or stops the reply. One button, so that the focus stays where it is when the one
 * becomes the other.
 */
export function ComposerButton({ readiness, stop }: ComposerButtonProps) {
  if (stop && mayStop(stop)) {
    const isStopping = stop.status === 'stopping'
    return (
      <Button
        readiness={isStopping ? 'busy' : 'ready'}
        // The second click of a double click on Send is not meant for the button that is there by then.
        onClick={({ detail }) => detail <= 1 && stop.stop()}
      >
        {isStopping ? WORDS.stop.stopping : WORDS.stop.stop}
      </Button>
    )
  }
  return (
    <Button type="submit" readiness={readiness === 'waiting' ? 'busy' : readiness}>
      {readiness === 'waiting' ? WORDS.chat.sending : WORDS.chat.send}
    </Button>
  )
}

/** A turn that is over has nothing to stop, though its end may arrive later. */
export function mayStop({ status }: Stop): boolean {
  return status !== 'none' && status !== 'late'
}
