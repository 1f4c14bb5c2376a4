import { Button } from '../../../kit/index.ts'
import type { CardProps, SheetProps } from '../actions.ts'
import { AcceptedOffer } from './accepted-offer.tsx'
import { OFFER_WORDS } from './offer-words.ts'

/** The customer has accepted; Finish closes the application where the assistant has not. */
export function AcceptedCard({ view, readiness, record, onSheet }: CardProps & SheetProps) {
  return (
    <AcceptedOffer
      view={view}
      onSheet={onSheet}
      finish={
        <Button readiness={readiness} onClick={() => record([{ type: 'case_complete', data: {} }])}>
          {OFFER_WORDS.accepted.finish}
        </Button>
      }
    />
  )
}
