import { ChevronDown } from 'lucide'
import { memo, useId, useState } from 'react'
import { ActorShape, Icon, actorOf, clockTime, dateTime, day, withoutLinks } from '../kit/index.ts'
import type { PaneProps } from './description.ts'
import { RecordDetails } from './record-details.tsx'
import { RecordLink } from './record-link.tsx'
import { RecoveredFacts } from './recovered-facts.tsx'
import { firstWords, recordName, whoOf } from './story/index.ts'
import type { Told } from './story/index.ts'
import styles from './record.module.css'
import { WORDS } from './words.ts'

/** The length of a row's text; the rest of a longer one is in its details. */
const SENTENCE_MAX = 280

export interface WatchedValue {
  readonly path: string
  readonly text: string
  readonly isSet: boolean
}

export interface RecordRowProps {
  readonly told: Told
  /** The day in the heading of the rows; a row of another one shows its own. */
  readonly day: string
  readonly current: boolean
  readonly personalData: PaneProps['personalData']
  /** The values of the watched paths after this record; one that it has set is marked. */
  readonly watched: readonly WatchedValue[]
  readonly onSelect: (seq: number) => void
}

/** A sentence first; what else there is to know of the record is drawn only when it is asked for. */
export const RecordRow = memo(function RecordRow(props: RecordRowProps) {
  const { told, current, watched, onSelect } = props
  const { record, by, restatedAt } = told
  const { seq } = record
  // A restated message keeps the time of its first record. Rows show when a record was appended.
  const ts = restatedAt ?? record.ts
  const [asked, ask] = useState<'closed' | 'open'>()
  const details = useId()
  const shown = asked ?? (current ? 'open' : 'closed')
  const sentence = withoutLinks(told.sentences.join('\n'))
  const start = firstWords(sentence, SENTENCE_MAX)
  const isCut = start.length < sentence.length
  return (
    <li className={styles.row} aria-current={current ? 'true' : undefined}>
      <span className={styles.seq}>
        <RecordLink seq={seq} label={WORDS.record(seq)} onSelect={onSelect}>
          {seq}
        </RecordLink>
      </span>
      <span className={styles.who}>
        <ActorShape actor={actorOf(by)} />
        <span>{whoOf(by)}</span>
      </span>
      <div className={styles.sentence} data-kind={told.kind} dir="auto">
        {start}
        {isCut && <span className={styles.cut}>{WORDS.cut}</span>}
        {restatedAt !== undefined && (
          <span className={styles.restated}>{WORDS.restated(dateTime(record.ts))}</span>
        )}
        <RecoveredFacts facts={told.recovered ?? []} />
      </div>
      {watched.length > 0 && (
        <span className={styles.watched}>
          {watched.map(({ path, text, isSet }) => (
            <span key={path} title={path} data-set={isSet}>
              {text}
            </span>
          ))}
        </span>
      )}
      <span className={styles.type}>{recordName(record)}</span>
      <time className={styles.time} dateTime={new Date(ts).toISOString()} title={dateTime(ts)}>
        {day(ts) === props.day ? clockTime(ts) : dateTime(ts)}
      </time>
      <button
        type="button"
        className={styles.more}
        aria-expanded={shown === 'open'}
        aria-controls={details}
        aria-label={WORDS.detailsOf(seq)}
        onClick={() => ask(shown === 'open' ? 'closed' : 'open')}
      >
        <Icon shape={ChevronDown} />
      </button>
      <div id={details} className={styles.details} hidden={shown === 'closed'}>
        {shown === 'open' && (
          <RecordDetails
            told={told}
            whole={isCut ? sentence : wholeBeyond(told)}
            onSelect={onSelect}
          />
        )}
      </div>
    </li>
  )
}, isSameRow)

/** The text that a record is only a part of, or that it keeps without saying. */
function wholeBeyond({ kind, whole }: Told): string | undefined {
  return kind === 'message' ? undefined : whole
}

/** The story is built anew with each record that arrives; most of it stays the same. */
function isSameRow(before: RecordRowProps, after: RecordRowProps): boolean {
  const [old, now] = [before.told, after.told]
  return (
    before.current === after.current &&
    before.day === after.day &&
    before.onSelect === after.onSelect &&
    JSON.stringify(before.watched) === JSON.stringify(after.watched) &&
    // Records are read anew for each reveal.
    old.record.id === now.record.id &&
    before.personalData === after.personalData &&
    old.whole === now.whole &&
    old.restatedAt === now.restatedAt &&
    old.sentences.join('\n') === now.sentences.join('\n')
  )
}
