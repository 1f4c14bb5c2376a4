import { useContext } from 'react'
import { reasonsFor } from '../broker/audit/why.ts'
import type { Told } from '../broker/audit/story.ts'
import { RecordLink } from './record-link.tsx'
import { RecordValues } from './record-values.tsx'
import { shownTextOf } from './shown-text.ts'
import { ShownText } from './shown-text-view.tsx'
import styles from './record.module.css'
import { StoryContext } from './story-context.ts'
import { WORDS } from './words.ts'

export interface RecordDetailsProps {
  readonly told: Told
  /** What the row says only in part. */
  readonly whole: string | undefined
  readonly onSelect: (seq: number) => void
}

export function RecordDetails({ told, whole, onSelect }: RecordDetailsProps) {
  const { record } = told
  const reasons = reasonsFor(told, useContext(StoryContext))
  const shown = shownTextOf(record)
  return (
    <>
      {reasons.length > 0 && (
        <section>
          <h3>{WORDS.why}</h3>
          <ul className={styles.reasons}>
            {reasons.map(({ words, seq }) => (
              <li key={words} dir="auto">
                {words}{' '}
                {seq !== undefined && (
                  <RecordLink seq={seq} onSelect={onSelect}>
                    {WORDS.toRecord(seq)}
                  </RecordLink>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
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
      <RecordValues told={told} />
      <details>
        <summary>{WORDS.json}</summary>
        <pre className={styles.json}>{JSON.stringify(record, null, 2)}</pre>
      </details>
    </>
  )
}
