import { useEffect, useRef, useState } from 'react'
import type { AuditQuery } from './audit-query.ts'
import type { Connection } from './connection.ts'
import { ChapterRows } from './chapter-rows.tsx'
import type { Chapter } from './description.ts'
import { Pager } from './pager.tsx'
import type { Told } from './story/index.ts'
import styles from './record.module.css'
import type { WatchedPath } from './use-watched.ts'
import { useStayAtEnd } from './use-stay-at-end.ts'

/** Rows that are drawn at once, however many there are. */
const ROWS_MAX = 60

export interface RecordListProps {
  readonly rows: readonly Told[]
  readonly chapters: readonly Chapter[]
  readonly view: AuditQuery['view']
  readonly selected: number | undefined
  readonly watched: readonly WatchedPath[]
  readonly connection: Connection
  readonly onSelect: (seq: number) => void
}

const AT_END = { block: 'nearest' } as const

/** In the demonstration, a reader watches the audit beside the pages of the others. */
function isBesideOthers(): boolean {
  return window.parent !== window
}

/** Shows one page of the timeline, at first the one with the selected record. */
export function RecordList(props: RecordListProps) {
  const { rows, chapters, view, selected, watched, connection, onSelect } = props
  const [turned, turnTo] = useState<{ readonly page: number; readonly from: number | undefined }>()
  const at = rows.findIndex(({ record }) => record.seq === selected)
  const last = Math.max(0, Math.ceil(rows.length / ROWS_MAX) - 1)
  // A newly selected record is shown, on any page.
  const chosen = turned?.from === selected ? turned?.page : undefined
  const page = Math.min(last, chosen ?? Math.floor(Math.max(0, at) / ROWS_MAX))
  const list = useRef<HTMLDivElement>(null)
  const place = at === -1 ? 'absent' : selected
  useEffect(() => {
    if (place === undefined || place === 'absent') return
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [place])
  const follow = (): void => {
    turnTo({ page: last, from: selected })
    requestAnimationFrame(() => {
      const drawn = list.current?.querySelectorAll('section > ol > li')
      drawn?.[drawn.length - 1]?.scrollIntoView(AT_END)
    })
  }
  const { end, unreached } = useStayAtEnd({
    rows: rows.length,
    isLastPage: page === last,
    isLive: connection === 'live',
    begins: isBesideOthers() && selected === undefined ? 'following' : 'waiting',
    onFollow: follow,
  })
  const turn = (to: number): void => {
    turnTo({ page: to, from: selected })
    list.current?.scrollIntoView({ block: 'start' })
  }
  const first = page * ROWS_MAX
  return (
    <>
      <div
        ref={list}
        className={styles.timeline}
        data-view={view}
        data-watching={watched.length > 0}
      >
        <ChapterRows
          rows={rows}
          drawn={rows.slice(first, first + ROWS_MAX)}
          chapters={chapters}
          selected={selected}
          watched={watched}
          onSelect={onSelect}
        />
      </div>
      <div ref={end} />
      {(last > 0 || connection === 'lost' || unreached > 0) && (
        <Pager
          connection={connection}
          unreached={unreached}
          onFollow={follow}
          page={page}
          last={last}
          range={{
            from: Math.min(rows.length, first + 1),
            to: Math.min(rows.length, first + ROWS_MAX),
            of: rows.length,
          }}
          onTurn={turn}
        />
      )}
    </>
  )
}
