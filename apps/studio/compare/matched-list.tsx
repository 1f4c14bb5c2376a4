import { VisuallyHidden } from '../../kit/index.ts'
import { RecordLink } from '../record-link.tsx'
import type { Told } from '../story/index.ts'
import styles from './compare.module.css'
import type { MatchedRow } from './matched-rows.ts'
import { COMPARE_WORDS } from './words.ts'

const SIGNS = { equal: '=', changed: '~', removed: '−', added: '+' } as const

export interface MatchedListProps {
  readonly rows: readonly MatchedRow[]
  /** Whether the records of B are on this page too. */
  readonly isOneThread: boolean
  readonly onSelect: (seq: number) => void
}

/** The rows of both sides, what is equal beside each other. */
export function MatchedList({ rows, isOneThread, onSelect }: MatchedListProps) {
  return (
    <ol>
      {rows.map((row, at) => (
        <Pair key={at} row={row} isOneThread={isOneThread} onSelect={onSelect} />
      ))}
    </ol>
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
