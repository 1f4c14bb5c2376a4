import { CopyButton, dayAndTime } from '../../../kit/index.ts'
import type { CaseView } from '../case-view.ts'
import { referenceOf } from '../reference.ts'
import styles from './cards.module.css'
import { ENDING_WORDS } from './ending-words.ts'

/** Shows the case's reference for calls and letters, and the time of its end. */
export function EndReference({ view }: { readonly view: CaseView }) {
  const { name, keep, on } = ENDING_WORDS.reference
  const { caseOutcome, updatedAt } = view
  const at = Date.parse(caseOutcome?.recordedAt ?? updatedAt)
  return (
    <div className={styles.tight}>
      <p className={styles.small}>
        {name} <bdi className={styles.reference}>{referenceOf(view)}</bdi>. {on(dayAndTime(at))}{' '}
        {keep}
      </p>
      <CopyButton text={view.sessionId} look="bare" name={name} />
    </div>
  )
}
