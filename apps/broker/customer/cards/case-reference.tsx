import { CopyButton } from '../../../kit/index.ts'
import type { CaseView } from '../case-view.ts'
import styles from '../customer.module.css'
import { WORDS } from '../words.ts'

/** The end of the id, which no other case is likely to share: its beginning is the time. */
const SHORT_LENGTH = 12

/** What the case is called when one speaks of it; short enough to be read out, and whole when copied. */
export function CaseReference({ view }: { readonly view: CaseView }) {
  return (
    <div className={styles.reference}>
      <p>
        {WORDS.reference.name}:{' '}
        <code className={styles.code}>{view.sessionId.slice(-SHORT_LENGTH)}</code>
      </p>
      <CopyButton text={view.sessionId} look="quiet" name={WORDS.reference.name} />
      <p className={styles.hint}>{WORDS.reference.text}</p>
    </div>
  )
}
