import { useContext } from 'react'
import { RecordLink } from './record-link.tsx'
import { RecordValues } from './record-values.tsx'
import { reasonsFor } from './story/index.ts'
import type { Told } from './story/index.ts'
import styles from './record.module.css'
import { ThreadContext } from './thread-context.ts'
import { WORDS } from './words.ts'

export interface RecordDetailsProps {
  readonly told: Told
  /** The full text that the row shortens. */
  readonly whole: string | undefined
  readonly onSelect: (seq: number) => void
}

export function RecordDetails({ told, whole, onSelect }: RecordDetailsProps) {
  const { record } = told
  const { story, description } = useContext(ThreadContext)
  const { Details, rules } = description
  const reasons = reasonsFor(told, story, rules)
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
      {Details && <Details record={record} />}
      <RecordValues told={told} />
      <details>
        <summary>{WORDS.json}</summary>
        <pre className={styles.json}>{JSON.stringify(record, null, 2)}</pre>
      </details>
    </>
  )
}
