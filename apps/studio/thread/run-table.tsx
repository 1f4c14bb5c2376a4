import type { LogRecord, TurnNode, Usage } from 'throughline/client'
import { ActorMark, amount, duration, number } from '../../kit/index.ts'
import { RecordLink } from '../record-link.tsx'
import { StatusMark } from './status-mark.tsx'
import { traceRows } from './trace-rows.ts'
import type { TraceRow } from './trace-rows.ts'
import { WORDS as THREAD_WORDS } from './words.ts'
import { FoldedTime } from './folded-time.ts'
import styles from './runs.module.css'
import { waitsOf } from './turn-waits.ts'
import { RUNS_WORDS } from './runs-words.ts'

const { columns } = RUNS_WORDS
/** Levels that are indented; deeper runs stand under the last one. */
const LEVELS_MAX = 8

export interface RunTableProps {
  readonly turn: TurnNode
  readonly records: readonly LogRecord[]
  readonly onSelect: (seq: number) => void
}

/** The runs and tools of a turn in their order, each with its time on the chart. */
export function RunTable({ turn, records, onSelect }: RunTableProps) {
  const rows = traceRows(turn)
  const end = Math.max(turn.ts + 1, ...rows.map(({ endedAt }) => endedAt))
  const time = new FoldedTime({ from: turn.ts, to: end }, waitsOf(turn, records))
  const startOf = new Map(records.map((record) => [record.id, record.seq]))
  return (
    // A wide table scrolls inside this region, so the region must be focusable.
    <div
      className={`${styles.card} ${styles.wide}`}
      role="region"
      aria-label={RUNS_WORDS.table}
      tabIndex={0}
    >
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{columns.what}</th>
            <th scope="col">{columns.when}</th>
            <th scope="col" className={styles.figure}>
              {columns.took}
            </th>
            <th scope="col" className={styles.figure}>
              {columns.tokens}
            </th>
            <th scope="col" className={styles.figure}>
              {columns.cost}
            </th>
            <th scope="col">{columns.ended}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.key}
              row={row}
              time={time}
              seq={startOf.get(row.key)}
              onSelect={onSelect}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  readonly row: TraceRow
  readonly time: FoldedTime
  readonly seq: number | undefined
  readonly onSelect: (seq: number) => void
}

function Row({ row, time, seq, onSelect }: RowProps) {
  const { kind, depth, name, what, status, startedAt, endedAt, usage } = row
  const isOver = status !== 'working' && status !== 'waiting'
  const label = <b>{name}</b>
  return (
    <tr>
      <th scope="row">
        <span
          className={styles.name}
          style={{ paddingInlineStart: `${Math.min(depth, LEVELS_MAX)}rem` }}
        >
          <ActorMark actor={kind === 'agent' ? 'model' : 'system'} />
          {seq === undefined ? (
            label
          ) : (
            <RecordLink seq={seq} onSelect={onSelect}>
              {label}
            </RecordLink>
          )}
          <span className={styles.what}>{what}</span>
        </span>
      </th>
      <td>
        <Bar kind={kind} from={startedAt} to={endedAt} time={time} />
      </td>
      <td className={styles.figure}>{isOver ? duration(endedAt - startedAt) : ''}</td>
      <td className={styles.figure}>{usage && tokensOf(usage)}</td>
      <td className={styles.figure}>{usage?.cost === undefined ? '' : amount(usage.cost)}</td>
      <td>
        <StatusMark
          status={status}
          words={kind === 'agent' ? THREAD_WORDS.status : THREAD_WORDS.toolStatus}
        />
      </td>
    </tr>
  )
}

interface BarProps {
  readonly kind: TraceRow['kind']
  readonly from: number
  readonly to: number
  readonly time: FoldedTime
}

function Bar({ kind, from, to, time }: BarProps) {
  const waited = time.waits.filter((wait) => wait.from >= from && wait.to <= to)
  return (
    <span className={styles.track} aria-hidden="true">
      <span className={styles.bar} data-kind={kind} style={placed(time, { from, to })} />
      {waited.map((wait) => (
        <span key={wait.from} className={styles.fold} style={placed(time, wait)} />
      ))}
    </span>
  )
}

function placed(time: FoldedTime, { from, to }: { readonly from: number; readonly to: number }) {
  const begin = time.at(from)
  return { insetInlineStart: `${begin * 100}%`, inlineSize: `${(time.at(to) - begin) * 100}%` }
}

function tokensOf({ inputTokens, outputTokens }: Usage): string {
  if (inputTokens === undefined && outputTokens === undefined) return ''
  return number((inputTokens ?? 0) + (outputTokens ?? 0))
}
