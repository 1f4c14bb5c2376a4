import { useCallback } from 'react'
import type { PageEntry } from '../kit/index.ts'
import { matching } from './audit-query.ts'
import { CompareView } from './compare/compare-view.tsx'
import { connectionOf } from './connection.ts'
import type { PaneProps } from './description.ts'
import { FilePane } from './file-pane.tsx'
import type { Pane } from './pane-choice.tsx'
import { PaneChoice } from './pane-choice.tsx'
import { Scrubber } from './scrubber.tsx'
import styles from './studio.module.css'
import { RunsView } from './thread/runs-view.tsx'
import { TimelinePane } from './timeline-pane.tsx'
import type { AuditedThread } from './use-audited-thread.ts'
import { WINDOW_RECORDS_MAX } from './use-thread-start.ts'
import { useWatched } from './use-watched.ts'
import { WhatIfView } from './what-if/what-if-view.tsx'

export interface AuditViewsProps {
  readonly entry: PageEntry
  readonly audited: AuditedThread
  readonly shown: PaneProps
  /** The page follows the thread from the record after this one. */
  readonly after: number
  /** Another one has what the server computes of the thread read again. */
  readonly version: string
  readonly pane: Pane
  readonly onPane: (pane: Pane) => void
}

/** The view of the thread that the address names. */
export function AuditViews(props: AuditViewsProps) {
  const { entry, audited, shown } = props
  const { thread, head, query, onAsk, onSelect } = shown
  const at = { thread, seq: query.ev ?? head }
  switch (query.tab) {
    case 'thread':
      return <ThreadView {...props} />
    case 'runs':
      return <RunsView entry={entry} records={audited.records} onSelect={onSelect} />
    case 'compare':
      return <CompareView a={at} query={query} onAsk={onAsk} onSelect={onSelect} />
    case 'what-if':
      return <WhatIfView at={at} fork={query.fork} onAsk={onAsk} onSelect={onSelect} />
  }
}

function ThreadView({ audited, shown, after, version, pane, onPane }: AuditViewsProps) {
  const { place, records, last, described } = audited
  const { thread, head, query, reveal, onAsk } = shown
  const select = useCallback((ev: number) => onAsk({ ev }), [onAsk])
  const watched = useWatched(query.watched, { thread, version, reveal })
  const jump = (to: number): void => {
    const from = Math.max(0, to - Math.floor(WINDOW_RECORDS_MAX / 2))
    onAsk({ ev: to, from: to > after ? undefined : from })
  }
  return (
    <>
      <PaneChoice pane={pane} at={query.ev} onChoose={onPane} />
      <main className={styles.panes} data-pane={pane}>
        <TimelinePane
          thread={thread}
          query={query}
          window={{ first: records[0]?.seq ?? 0, last, head }}
          watched={watched}
          connection={connectionOf(place)}
          onAsk={onAsk}
          onSelect={select}
        />
        <FilePane {...shown} />
      </main>
      <Scrubber
        rows={matching(described.story, query, described.description.sides)}
        head={head}
        selected={query.ev}
        onSelect={select}
        onJump={jump}
      />
    </>
  )
}
