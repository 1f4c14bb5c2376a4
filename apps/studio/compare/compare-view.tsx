import { useContext, useMemo, useState } from 'react'
import type { SubmitEvent } from 'react'
import { Button, CopyButton, TextField, threadUrl } from '../../kit/index.ts'
import type { AuditQuery, Point } from '../audit-query.ts'
import { inView, pointIn } from '../audit-query.ts'
import { tellThread } from '../description.ts'
import { FailedAnswer } from '../failed-answer.tsx'
import type { Told } from '../story/index.ts'
import { ThreadContext } from '../thread-context.ts'
import { useAnswer } from '../use-answer.ts'
import { recordsIn } from '../use-thread-start.ts'
import styles from './compare.module.css'
import view from '../view.module.css'
import { MatchedList } from './matched-list.tsx'
import { COMPARED_ROWS_MAX, matchedRows } from './matched-rows.ts'
import { StateDifference } from './state-difference.tsx'
import { COMPARE_WORDS } from './words.ts'

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
    <main className={view.page}>
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
    `${threadUrl(b.thread)}/events?after=${after}&limit=${b.seq - after}`,
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
        <MatchedList rows={rows} isOneThread={a.thread === b.thread} onSelect={onSelect} />
      </section>
      <StateDifference
        a={{ url: stateAt(a), isOwn: true }}
        b={{ url: stateAt(b), isOwn: a.thread === b.thread }}
      />
    </>
  )
}

function stateAt({ thread, seq }: Point): string {
  return `${threadUrl(thread)}/state?at=${seq}`
}

function upTo(story: readonly Told[], seq: number): readonly Told[] {
  return inView(story, 'mattered').filter(({ record }) => record.seq <= seq)
}
