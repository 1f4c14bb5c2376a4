import { useContext, useMemo, useState } from 'react'
import type { SubmitEvent } from 'react'
import { diff } from 'throughline'
import { isJsonArray, membersOf, valueAt } from 'throughline/client'
import type { Json, LogRecord } from 'throughline/client'
import { Button, CopyButton, TextField, VisuallyHidden } from '../../kit/index.ts'
import type { AuditQuery, Point } from '../audit-query.ts'
import { inView, pointIn } from '../audit-query.ts'
import { ChangeLines } from '../change-lines.tsx'
import type { ValueChange } from '../changes.ts'
import { tellThread } from '../description.ts'
import { FailedAnswer } from '../failed-answer.tsx'
import { RecordLink } from '../record-link.tsx'
import type { Told } from '../story/index.ts'
import { ThreadContext } from '../thread-context.ts'
import { useAnswer } from '../use-answer.ts'
import styles from './compare.module.css'
import { COMPARED_ROWS_MAX, matchedRows } from './matched-rows.ts'
import type { MatchedRow } from './matched-rows.ts'
import { COMPARE_WORDS } from './words.ts'

const SIGNS = { equal: '=', changed: '~', removed: '−', added: '+' } as const
/** Records of the other side that are read, so that enough of them matter. */
const OTHER_RECORDS_MAX = 5_000

export interface CompareViewProps {
  readonly a: Point
  readonly query: AuditQuery
  readonly onAsk: (change: Partial<AuditQuery>) => void
  readonly onSelect: (seq: number) => void
}

/** Two points of one thread, or two threads, side by side. */
export function CompareView({ a, query, onAsk, onSelect }: CompareViewProps) {
  const { other } = query
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <div>
          <h2>{COMPARE_WORDS.title}</h2>
          <p className={styles.meta}>{COMPARE_WORDS.about}</p>
        </div>
      </header>
      <Choice a={a} other={other} onAsk={onAsk} />
      {other && (
        <Compared key={`${other.thread}@${other.seq}`} a={a} b={other} onSelect={onSelect} />
      )}
    </main>
  )
}

type ChoiceProps = Pick<CompareViewProps, 'a' | 'onAsk'> & { readonly other: Point | undefined }

function Choice({ a, other, onAsk }: ChoiceProps) {
  const [given, give] = useState(other ? `${other.thread}@${other.seq}` : `${a.thread}@0`)
  const [error, setError] = useState<string>()
  const compare = (event: SubmitEvent): void => {
    event.preventDefault()
    const point = pointIn(given.trim())
    setError(point ? undefined : COMPARE_WORDS.wrong)
    if (point) onAsk({ other: point })
  }
  return (
    <form className={styles.choice} onSubmit={compare}>
      <p>
        <b className={styles.letter}>A</b> {COMPARE_WORDS.point(a.thread, a.seq)}
      </p>
      <TextField
        id="compare-with"
        label={COMPARE_WORDS.other}
        hint={COMPARE_WORDS.otherHint}
        value={given}
        error={error}
        onChange={give}
      />
      <Button type="submit">{COMPARE_WORDS.compare}</Button>
      {other && <CopyButton text={location.href} name={COMPARE_WORDS.link} />}
    </form>
  )
}

interface ComparedProps {
  readonly a: Point
  readonly b: Point
  readonly onSelect: (seq: number) => void
}

function Compared({ a, b, onSelect }: ComparedProps) {
  const { story, description, reveal } = useContext(ThreadContext)
  const after = Math.max(-1, b.seq - OTHER_RECORDS_MAX)
  const options = { version: 'fixed', reveal: b.thread === a.thread ? reveal : undefined }
  const answer = useAnswer(
    `/api/threads/${encodeURIComponent(b.thread)}/events?after=${after}&limit=${b.seq - after}`,
    options,
  )
  const rows = useMemo(() => {
    if (answer.status !== 'answered') return []
    const told = tellThread(recordsIn(answer.value), description)
    return matchedRows(upTo(story, a.seq), upTo(told, b.seq))
  }, [answer, story, description, a.seq, b.seq])
  if (answer.status === 'asking') return <p role="status">{COMPARE_WORDS.loading}</p>
  if (answer.status === 'failed') {
    return <FailedAnswer onAgain={answer.again}>{COMPARE_WORDS.failed(b.thread)}</FailedAnswer>
  }
  const differing = rows.filter(({ kind }) => kind !== 'equal').length
  return (
    <>
      <section className={styles.card} aria-label={COMPARE_WORDS.records}>
        <div className={styles.sides}>
          <b>{COMPARE_WORDS.side('A', a.thread, a.seq)}</b>
          <span />
          <b>{COMPARE_WORDS.side('B', b.thread, b.seq)}</b>
        </div>
        <p className={styles.caption} role="status">
          {COMPARE_WORDS.differing(differing, rows.length)}
          {rows.length >= COMPARED_ROWS_MAX && ` ${COMPARE_WORDS.latest(COMPARED_ROWS_MAX)}`}
        </p>
        <ol>
          {rows.map((row, at) => (
            <Pair key={at} row={row} isOneThread={a.thread === b.thread} onSelect={onSelect} />
          ))}
        </ol>
      </section>
      <StateDifference a={a} b={b} />
    </>
  )
}

interface PairProps {
  readonly row: MatchedRow
  readonly isOneThread: boolean
  readonly onSelect: (seq: number) => void
}

function Pair({ row: { kind, a, b }, isOneThread, onSelect }: PairProps) {
  return (
    <li className={styles.pair} data-kind={kind}>
      <Side told={a} onSelect={onSelect} />
      <span className={styles.sign}>
        <span aria-hidden="true">{SIGNS[kind]}</span>
        <VisuallyHidden>{COMPARE_WORDS.kinds[kind]}</VisuallyHidden>
      </span>
      <Side told={b} onSelect={isOneThread ? onSelect : undefined} />
    </li>
  )
}

interface SideProps {
  readonly told: Told | undefined
  /** Absent: it is a record of another thread. */
  readonly onSelect?: ((seq: number) => void) | undefined
}

function Side({ told, onSelect }: SideProps) {
  if (!told) return <span className={styles.nothing}>{COMPARE_WORDS.nothing}</span>
  const { seq } = told.record
  return (
    <span dir="auto">
      <span className={styles.seq}>
        {onSelect ? (
          <RecordLink seq={seq} onSelect={onSelect}>
            {seq}
          </RecordLink>
        ) : (
          seq
        )}
      </span>{' '}
      {told.sentences.join(' ')}
    </span>
  )
}

/** What differs between the states of both sides. */
function StateDifference({ a, b }: { readonly a: Point; readonly b: Point }) {
  const { reveal } = useContext(ThreadContext)
  const at = ({ thread, seq }: Point) =>
    `/api/threads/${encodeURIComponent(thread)}/state?at=${seq}`
  const left = useAnswer(at(a), { version: 'fixed', reveal })
  const right = useAnswer(at(b), {
    version: 'fixed',
    reveal: a.thread === b.thread ? reveal : undefined,
  })
  if (left.status === 'failed' || right.status === 'failed') {
    return <p role="status">{COMPARE_WORDS.noState}</p>
  }
  if (left.status === 'asking' || right.status === 'asking') return null
  const changes = changesBetween(stateIn(left.value), stateIn(right.value))
  return (
    <section className={styles.card}>
      <h3 className={styles.caption}>{COMPARE_WORDS.state}</h3>
      <div className={styles.changes}>
        {changes.length === 0 ? (
          <p>{COMPARE_WORDS.sameState}</p>
        ) : (
          <ChangeLines changes={changes} />
        )}
      </div>
      <p className={styles.caption}>{COMPARE_WORDS.onlyFirst}</p>
    </section>
  )
}

function changesBetween(before: Json, after: Json): readonly ValueChange[] {
  return diff(before, after).map((operation) => {
    const { op, path } = operation
    const kind = op === 'add' ? 'added' : op === 'remove' ? 'removed' : 'changed'
    const value = 'value' in operation ? { after: operation.value as Json } : {}
    return { kind, path, before: valueAt(before, path), ...value }
  })
}

function stateIn(answer: Json): Json {
  return membersOf(answer)['state'] ?? null
}

function upTo(story: readonly Told[], seq: number): readonly Told[] {
  return inView(story, 'mattered').filter(({ record }) => record.seq <= seq)
}

function recordsIn(answer: Json): readonly LogRecord[] {
  const { records = null } = membersOf(answer)
  // The server sends records as it stores them.
  return isJsonArray(records) ? (records as unknown as readonly LogRecord[]) : []
}
