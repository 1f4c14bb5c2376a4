import { Timeline } from '../../../kit/index.ts'
import type { CaseView } from '../case-view.ts'
import styles from './cards.module.css'
import { lenderItems } from './lender-timeline.ts'
import { LENDER_WORDS } from './lender-words.ts'

/** Which lenders were asked and what each answered; never why. */
export function AskedLenders({ view }: { readonly view: CaseView }) {
  const items = lenderItems(view)
  if (items.length === 0) return null
  const { title, softSearch } = LENDER_WORDS.asked
  return (
    <section className={styles.stack} aria-label={title}>
      <h2>{title}</h2>
      <Timeline items={items} />
      <p className={styles.small}>{softSearch}</p>
    </section>
  )
}
