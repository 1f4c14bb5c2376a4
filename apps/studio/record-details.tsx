import type { Told } from '../broker/audit/story.ts'
import { shownTextOf } from './shown-text.ts'
import { ShownText } from './shown-text-view.tsx'
import styles from './studio.module.css'
import { WORDS } from './words.ts'

export interface RecordDetailsProps {
  readonly told: Told
  /** What the row says only in part. */
  readonly whole: string | undefined
}

export function RecordDetails({ told: { record }, whole }: RecordDetailsProps) {
  const shown = shownTextOf(record)
  return (
    <>
      {whole !== undefined && (
        <section>
          <h3>{WORDS.whole}</h3>
          <p className={styles.whole} dir="auto">
            {whole}
          </p>
        </section>
      )}
      {shown && (
        <section>
          <h3>{WORDS.shown.title}</h3>
          <ShownText shown={shown} />
        </section>
      )}
      <section>
        <h3>{WORDS.json}</h3>
        <pre className={styles.json}>{JSON.stringify(record, null, 2)}</pre>
      </section>
    </>
  )
}
