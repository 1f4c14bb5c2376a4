import { Button } from '../../../kit/index.ts'
import type { ShownDisclosure } from '../use-disclosure.ts'
import { WORDS } from '../words.ts'
import { DISCLOSURE_WORDS } from './disclosure-words.ts'

export interface PendingTextProps {
  readonly shown: Exclude<ShownDisclosure, { readonly status: 'shown' }>
}

/** In the place of a text that is on its way or could not be loaded. */
export function PendingText({ shown }: PendingTextProps) {
  if (shown.status === 'loading') return <p role="status">{DISCLOSURE_WORDS.loading}</p>
  return (
    <>
      <p role="alert">{DISCLOSURE_WORDS.failed}</p>
      <Button look="quiet" onClick={shown.retry}>
        {WORDS.tryAgain}
      </Button>
    </>
  )
}
