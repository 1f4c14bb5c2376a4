import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import type { Turns } from './use-turns.ts'
import { WORDS } from './words.ts'

export interface TryAgainBannerProps {
  readonly children: string
  readonly turns: Pick<Turns, 'status'>
  readonly onTryAgain: () => void
}

/** Shows a failure, with a button to try again. */
export function TryAgainBanner({ children, turns, onTryAgain }: TryAgainBannerProps) {
  return (
    <Banner
      tone="problem"
      action={
        <Button
          look="quiet"
          readiness={turns.status === 'sending' ? 'waiting' : 'ready'}
          onClick={onTryAgain}
        >
          {WORDS.turn.tryAgain}
        </Button>
      }
    >
      {children}
    </Banner>
  )
}
