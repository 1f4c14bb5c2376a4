import type { TurnNode } from 'throughline/client'
import { ActorMark, Button, Disclosure, duration } from '../../kit/index.ts'
import { StatusMark } from './status-mark.tsx'
import styles from './trace.module.css'
import type { TraceRow } from './trace-rows.ts'
import { TRACE_ROWS_MAX, traceRows, workingAgent } from './trace-rows.ts'
import { WORDS } from './words.ts'

export interface TraceProps {
  readonly turn: TurnNode
  /** Shows everything that the agents said and did in full. */
  readonly onShowAll: () => void
}

/** Shows the agents and tools of a turn with their working times. */
export function Trace({ turn, onShowAll }: TraceProps) {
  const rows = traceRows(turn)
  const agents = new Set(rows.filter(({ kind }) => kind === 'agent').map(({ name }) => name))
  const calls = rows.filter(({ kind }) => kind === 'tool').length
  const working = workingAgent(turn)
  if (agents.size <= 1 && calls === 0) return null
  const summary = (
    <>
      <span>{WORDS.trace.summary(agents.size, calls)}</span>
      {working !== undefined && <span className={styles.now}>{WORDS.now.working(working)}</span>}
    </>
  )
  return (
    <Disclosure summary={summary}>
      {() => (
        <div className={styles.trace}>
          <ol className={styles.rows} aria-label={WORDS.trace.rows}>
            {rows.map((row) => (
              <Row key={row.key} row={row} />
            ))}
          </ol>
          {rows.length === TRACE_ROWS_MAX && <p>{WORDS.trace.more(TRACE_ROWS_MAX)}</p>}
          <Button look="bare" onClick={onShowAll}>
            {WORDS.trace.showAll}
          </Button>
        </div>
      )}
    </Disclosure>
  )
}

function Row({ row }: { readonly row: TraceRow }) {
  const { kind, depth, name, what, status, from, to, ms } = row
  const words = kind === 'agent' ? WORDS.status : WORDS.toolStatus
  const isOver = status !== 'working' && status !== 'waiting'
  return (
    <li className={styles.row}>
      <span className={styles.name} style={{ paddingInlineStart: `${Math.min(depth, 8)}rem` }}>
        <ActorMark actor={kind === 'agent' ? 'model' : 'system'} />
        <b>{name}</b>
        <span className={styles.what}>{what}</span>
      </span>
      <StatusMark status={status} words={words} />
      <span className={styles.track} aria-hidden="true">
        <span
          className={`${styles.bar} ${isOver ? '' : styles.open}`}
          style={{ marginInlineStart: `${from * 100}%`, width: `${(to - from) * 100}%` }}
        />
      </span>
      <span className={styles.ms}>{isOver ? duration(ms) : ''}</span>
    </li>
  )
}
