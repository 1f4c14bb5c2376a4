import type { Readiness } from './button.tsx'
import { Button } from './button.tsx'
import type { Stop } from './use-stop.ts'
import { WORDS } from './words.ts'

export interface ComposerButtonProps {
  readonly readiness: Readiness
  readonly stop: Stop | undefined
}

/**
 * Sends, or stops what is being said. One button, so that the focus stays where it is when the one
 * becomes the other.
 */
export function ComposerButton({ readiness, stop }: ComposerButtonProps) {
  if (stop && mayStop(stop)) {
    const isStopping = stop.status === 'stopping'
    return (
      <Button
        readiness={isStopping ? 'waiting' : 'ready'}
        // The second click of a double click on Send is not meant for what stands there by then.
        onClick={({ detail }) => detail <= 1 && stop.stop()}
      >
        {isStopping ? WORDS.stop.stopping : WORDS.stop.stop}
      </Button>
    )
  }
  return (
    <Button type="submit" readiness={readiness}>
      {readiness === 'waiting' ? WORDS.chat.sending : WORDS.chat.send}
    </Button>
  )
}

/** What was over already has nothing to stop, though its end may take a while to come. */
function mayStop({ status }: Stop): boolean {
  return status !== 'none' && status !== 'late'
}
