import { memo, useState } from 'react'
import type { LogRecord } from 'throughline/log'
import { ActorMark, actorOf, dateTime } from '../kit/index.ts'
import { sentenceOf } from './sentences.ts'
import styles from './studio.module.css'
import { WORDS } from './words.ts'

export interface RecordRowProps {
  readonly record: LogRecord
  readonly current: boolean
  readonly onSelect: (seq: number) => void
}

/** A sentence first; the JSON is drawn only when it is asked for. */
export const RecordRow = memo(function RecordRow(props: RecordRowProps) {
  const { record, current, onSelect } = props
  const { seq, type, origin, ts } = record
  const [json, setJson] = useState<'closed' | 'open'>('closed')
  return (
    <li className={styles.row} aria-current={current ? 'true' : undefined}>
      <button
        type="button"
        className={styles.seq}
        aria-label={WORDS.showState(seq)}
        onClick={() => onSelect(seq)}
      >
        {seq}
      </button>
      <span className={styles.mark}>
        <ActorMark actor={actorOf(origin.source)} />
      </span>
      <span className={styles.what}>
        <span className={styles.sentence}>{sentenceOf(record)}</span>
        <span className={styles.type}>{type}</span>
        <time className={styles.type} dateTime={new Date(ts).toISOString()}>
          {dateTime(ts)}
        </time>
      </span>
      <details
        className={styles.more}
        onToggle={(event) => setJson(event.currentTarget.open ? 'open' : 'closed')}
      >
        <summary>{WORDS.json}</summary>
        {json === 'open' && <pre className={styles.json}>{JSON.stringify(record, null, 2)}</pre>}
      </details>
    </li>
  )
})
