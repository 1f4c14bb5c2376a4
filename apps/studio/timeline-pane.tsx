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
import { WORDS } from './words.ts'

export interface TimelinePaneProps {
  readonly thread: string
  readonly query: AuditQuery
  readonly connection: Connection
  readonly onAsk: (change: Partial<AuditQuery>) => void
  readonly onSelect: (seq: number) => void
}

export function TimelinePane(props: TimelinePaneProps) {
  const { thread, query, connection, onAsk, onSelect } = props
  const { story, description } = useContext(ThreadContext)
  const rows = matching(story, query, description.sides)
  const chapters = useMemo(() => description.chapters?.(story) ?? [], [story, description])
  const of = inView(story, query.view).length
  const oldest = story[0]?.record.seq ?? 0
  return (
    <section
      className={`${styles.pane} ${styles.timeline}`}
      aria-label={WORDS.timeline}
      tabIndex={0}
      data-pane-part="timeline"
    >
      <div className={styles.rail}>
        <TimelineFilters query={query} onAsk={onAsk} />
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
        {oldest > 0 && <p className={styles.found}>{WORDS.filters.missing(oldest)}</p>}
        {rows.length === 0 && of > 0 && <p className={styles.found}>{WORDS.filters.none}</p>}
        <RecordList
          // Another choice of rows begins at its first page.
          key={writeQuery({ ...query, ev: undefined })}
          rows={rows}
          chapters={chapters}
          view={query.view}
          selected={query.ev}
          connection={connection}
          onSelect={onSelect}
        />
      </div>
    </section>
  )
}
