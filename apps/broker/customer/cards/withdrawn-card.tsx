import type { CardProps, SheetProps } from '../actions.ts'
import { CardFrame } from '../card-frame.tsx'
import { isNothingSubmitted } from '../case-view.ts'
import { AskedLenders } from './asked-lenders.tsx'
import styles from './cards.module.css'
import { EndReference } from './end-reference.tsx'
import { ENDING_WORDS } from './ending-words.ts'
import { SpeakToPerson } from './speak-to-person.tsx'

/** The customer has withdrawn: what that ended, and how they can come back. */
export function WithdrawnCard({ view, onSheet }: Pick<CardProps, 'view'> & SheetProps) {
  const words = ENDING_WORDS.withdrawn
  return (
    <CardFrame
      title={words.title}
      lead={isNothingSubmitted(view) ? words.beforeLenders : words.afterLenders}
      actions={<SpeakToPerson onSheet={onSheet} />}
    >
      <section className={styles.tight}>
        <h2>{words.change}</h2>
        <p className={styles.soft}>{words.changeMeans(view.retailerName)}</p>
      </section>
      <AskedLenders view={view} />
      <EndReference view={view} />
    </CardFrame>
  )
}
