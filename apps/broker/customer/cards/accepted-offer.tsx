import type { CaseView } from '../case-view.ts'
import styles from '../customer.module.css'
import { WORDS } from '../words.ts'
import { OfferFigures } from './offer-figures.tsx'

/** The offer that was accepted, and what happens next with its lender. */
export function AcceptedOffer({ view }: { readonly view: CaseView }) {
  const offer = view.waterfall?.acceptedOffer
  if (!offer) return null
  const { next, search, agreement, signing } = WORDS.accepted
  return (
    <>
      <OfferFigures offer={offer} />
      <h3>{next}</h3>
      <ul className={styles.list}>
        <li>{search(offer.lender)}</li>
        <li>{agreement(offer.lender)}</li>
        <li>{signing}</li>
      </ul>
    </>
  )
}
