import { useContext, useMemo } from 'react'
import { Button } from '../kit/index.ts'
import { ActorLegend } from './actor-legend.tsx'
import type { AuditQuery } from './audit-query.ts'
import { NO_FILTERS, inView, matching, writeQuery } from './audit-query.ts'
import type { Connection } from './connection.ts'
import { RecordList } from './record-list.tsx'
import styles from './studio.module.css'
import { ThreadContext } from './thread-context.ts'
import { TimelineFilters } from './timeline-filters.tsx'
import type { WatchedPath } from './use-watched.ts'
import { WatchList } from './watch-list.tsx'
import { WindowChoice } from './window-choice.tsx'
import type { WindowChoiceProps } from './window-choice.tsx'
import { WORDS } from './words.ts'

export interface TimelinePaneProps {
  readonly thread: string
  readonly query: AuditQuery
  /** The records that the page holds. */
  readonly window: Pick<WindowChoiceProps, 'first' | 'last' | 'head'>
  readonly watched: readonly WatchedPath[]
  readonly connection: Connection
  readonly onAsk: (change: Partial<AuditQuery>) => void
  readonly onSelect: (seq: number) => void
}

export function TimelinePane(props: TimelinePaneProps) {
  const { thread, query, window, watched, connection, onAsk, onSelect } = props
  const { story, description } = useContext(ThreadContext)
  const rows = matching(story, query, description.sides)
  const chapters = useMemo(() => description.chapters?.(story) ?? [], [story, description])
  const of = inView(story, query.view).length
  return (
    <section
      className={`${styles.pane} ${styles.timeline}`}
      aria-label={WORDS.timeline}
      tabIndex={0}
      data-pane-part="timeline"
    >
      <div className={styles.rail}>
        <TimelineFilters query={query} onAsk={onAsk} />
        <WatchList watched={watched} onAsk={onAsk} />
        <ActorLegend />
        <p className={styles.id}>{WORDS.thread(thread)}</p>
      </div>
      <div className={styles.story}>
        <div className={styles.found}>
          <span role="status">
            {story.length === 0 ? WORDS.opening : WORDS.filters.found(rows.length, of)}
          </span>
          {rows.length < of && (
            <Button look="bare" onClick={() => onAsk(NO_FILTERS)}>
              {WORDS.filters.clear}
            </Button>
          )}
        </div>
        <WindowChoice {...window} onAsk={onAsk} />
        {rows.length === 0 && of > 0 && <p className={styles.found}>{WORDS.filters.none}</p>}
        <RecordList
          // Another choice of rows begins at its first page.
          key={writeQuery({ ...query, ev: undefined })}
          rows={rows}
          chapters={chapters}
          view={query.view}
          selected={query.ev}
          watched={watched}
          connection={connection}
          onSelect={onSelect}
        />
      </div>
    </section>
  )
}
