import { useEffect, useRef, useState } from 'react'
import type { Told } from '../broker/audit/story.ts'
import type { AuditQuery } from './audit-query.ts'
import { Pager } from './pager.tsx'
import { RecordRow } from './record-row.tsx'
import styles from './studio.module.css'

/** Rows that are drawn at once, however many there are. */
const ROWS_MAX = 60

export interface RecordListProps {
  readonly rows: readonly Told[]
  readonly view: AuditQuery['view']
  readonly selected: number | undefined
  readonly onSelect: (seq: number) => void
}

/** One page of the timeline, at first the one with the selected record. */
export function RecordList({ rows, view, selected, onSelect }: RecordListProps) {
  const [turned, turnTo] = useState<{ readonly page: number; readonly from: number | undefined }>()
  const at = rows.findIndex(({ record }) => record.seq === selected)
  const last = Math.max(0, Math.ceil(rows.length / ROWS_MAX) - 1)
  // Whoever selects another record wants to see it, wherever they had turned to.
  const chosen = turned?.from === selected ? turned?.page : undefined
  const page = Math.min(last, chosen ?? Math.floor(Math.max(0, at) / ROWS_MAX))
  const list = useRef<HTMLOListElement>(null)
  const place = at === -1 ? 'absent' : selected
  useEffect(() => {
    if (place === undefined || place === 'absent') return
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [place])
  const turn = (to: number): void => {
    turnTo({ page: to, from: selected })
    list.current?.scrollIntoView({ block: 'start' })
  }
  const first = page * ROWS_MAX
  return (
    <>
      <ol ref={list} className={styles.timeline} data-view={view}>
        {rows.slice(first, first + ROWS_MAX).map((told) => (
          <RecordRow
            key={told.record.seq}
            told={told}
            current={told.record.seq === selected}
            onSelect={onSelect}
          />
        ))}
      </ol>
      {last > 0 && (
        <Pager
          page={page}
          last={last}
          range={{
            from: first + 1,
            to: Math.min(rows.length, first + ROWS_MAX),
            of: rows.length,
          }}
          onTurn={turn}
        />
      )}
    </>
  )
}
