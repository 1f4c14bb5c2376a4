import type { ReactNode } from 'react'
import type { TimelineItem } from '../../../kit/index.ts'
import { Timeline, date, dayAndTime } from '../../../kit/index.ts'
import type { SheetProps } from '../actions.ts'
import type { NextSteps } from '../../disclosures/next-steps.ts'
import { CardFrame } from '../card-frame.tsx'
import { useNextSteps } from '../use-firm.ts'
import type { CaseView } from '../case-view.ts'
import styles from './cards.module.css'
import { EndReference } from './end-reference.tsx'
import { LoanFigures, loanOf } from './loan-figures.tsx'
import { OFFER_WORDS } from './offer-words.ts'
import { SpeakToPerson } from './speak-to-person.tsx'

export interface AcceptedOfferProps extends SheetProps {
  readonly view: CaseView
  /** Above the way to a person. */
  readonly finish?: ReactNode
}

const words = OFFER_WORDS.accepted

const NO_BREAK_SPACE = '\u00A0'

/** The offer that was accepted, what happens next and who does it; a day only where the firm names one. */
export function AcceptedOffer({ view, finish, onSheet }: AcceptedOfferProps) {
  const days = useNextSteps()
  const offer = view.waterfall?.acceptedOffer
  if (!offer) return null
  const { lender } = offer
  const heardBy = days?.agreementBy
  return (
    <CardFrame
      title={words.title(lender)}
      lead={words.lead}
      actions={
        <>
          {finish}
          <SpeakToPerson onSheet={onSheet} />
        </>
      }
    >
      <section className={styles.panel}>
        <h2>{words.next}</h2>
        <Timeline items={nextSteps(lender, view, days)} />
      </section>
      <section className={styles.panel} aria-label={words.loan}>
        <LoanFigures loan={loanOf(offer)} rate="yourRate" />
      </section>
      <section className={styles.tight}>
        <h2>{heardBy === undefined ? words.help : words.heardNothingBy(date(heardBy))}</h2>
        <p className={styles.soft}>{words.helpMeans(lender)}</p>
      </section>
      <EndReference view={view} />
    </CardFrame>
  )
}

function nextSteps(
  lender: string,
  view: CaseView,
  days: NextSteps | undefined,
): readonly TimelineItem[] {
  const { caseOutcome, retailerName } = view
  const { search, searchMeans, agreementMeans } = OFFER_WORDS
  const acceptedAt = caseOutcome && words.on(dayAndTime(Date.parse(caseOutcome.recordedAt)))
  const later = (key: string, title: string, text: string): TimelineItem => {
    return { key, status: 'later', title, text }
  }
  return [
    { key: 'accepted', status: 'done', title: words.done, ...(acceptedAt && { when: acceptedAt }) },
    { ...later('search', search(lender), searchMeans), status: 'now', ...by(days, 'hardSearchBy') },
    { ...later('agreement', words.agreement(lender), agreementMeans), ...by(days, 'agreementBy') },
    later('sign', words.sign, words.signMeans),
    later('installer', words.installer(retailerName), words.installerMeans),
  ]
}

/** Until the days are read, an empty line holds the place of each: nothing moves when they come. */
function by(days: NextSteps | undefined, step: keyof NextSteps): Pick<TimelineItem, 'when'> {
  if (days === undefined) return { when: NO_BREAK_SPACE }
  const day = days[step]
  return day === undefined ? {} : { when: words.by(date(day)) }
}
