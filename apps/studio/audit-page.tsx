import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Command, PageEntry } from '../kit/index.ts'
import { RefusedNotice } from '../kit/index.ts'
import { auditCommands } from './audit-commands.ts'
import { AuditHeader } from './audit-header.tsx'
import type { AuditQuery } from './audit-query.ts'
import { NO_FILTERS, inView, isOnlyInAll, matching } from './audit-query.ts'
import { CompareView } from './compare/compare-view.tsx'
import { connectionOf } from './connection.ts'
import type { ThreadDescription } from './description.ts'
import { FilePane } from './file-pane.tsx'
import type { Pane } from './pane-choice.tsx'
import { PaneChoice } from './pane-choice.tsx'
import { RunsView } from './runs/runs-view.tsx'
import { Scrubber } from './scrubber.tsx'
import { Strips } from './strips.tsx'
import styles from './studio.module.css'
import { ThreadContext } from './thread-context.ts'
import type { DescribedThread } from './thread-context.ts'
import { TimelinePane } from './timeline-pane.tsx'
import { useAnswer } from './use-answer.ts'
import { useAuditQuery } from './use-audit-query.ts'
import { useDescribedThread } from './use-described-thread.ts'
import { erasureIn } from './use-erasure.ts'
import { useReveal } from './use-reveal.ts'
import { useShownRecords } from './use-shown-records.ts'
import { WINDOW_RECORDS_MAX, useOlderRecords, useThreadStart } from './use-thread-start.ts'
import type { ThreadStart } from './use-thread-start.ts'
import { useWatched } from './use-watched.ts'
import { ViewTabs } from './view-tabs.tsx'
import { WhatIfView } from './what-if/what-if-view.tsx'
import { WORDS } from './words.ts'

export interface AuditPageProps {
  readonly entry: PageEntry
  /** Of the applications whose threads the page knows to tell. */
  readonly descriptions: readonly ThreadDescription[]
  /** The commands that lead to other pages. */
  readonly places: () => readonly Command[]
}

/** Shows a thread's records with their causes, its state, its runs, and what differs from another one. */
export function AuditPage(props: AuditPageProps) {
  const start = useThreadStart(props.entry.thread)
  if (start) return <AuditedThread {...props} start={start} />
  return (
    <main className={styles.found}>
      <p role="status">{WORDS.opening}</p>
    </main>
  )
}

type AuditedThreadProps = AuditPageProps & { readonly start: ThreadStart }

function AuditedThread({ entry, descriptions, places, start }: AuditedThreadProps) {
  const { thread } = entry
  const [asked, ask] = useAuditQuery()
  const revealing = useReveal(entry)
  const seq = revealing.reveal.status === 'shown' ? revealing.reveal.seq : undefined
  const { records: latest, ...place } = useShownRecords(entry, { after: start.after, reveal: seq })
  const older = useOlderRecords(thread, { from: asked.from, reveal: seq })
  const records = older ?? latest
  const described = useDescribedThread(
    { records, first: start.first },
    descriptions,
    revealing.reveal,
  )
  const { story, personalData, reveal } = described
  const { hide } = revealing
  const erased = erasureIn(latest)
  const isOver = reveal !== undefined && (place.status === 'refused' || erased !== undefined)
  useEffect(() => {
    // The reveal has ended, or has nothing to show any more: the page reads on without it.
    if (isOver) hide()
  }, [isOver, hide])
  const [pane, choosePane] = useState<Pane>('timeline')
  const select = useCallback((ev: number) => ask({ ev }), [ask])
  const goTo = (ev: number): void => {
    ask({ ...NO_FILTERS, ev, tab: 'thread' })
    choosePane('timeline')
  }
  // Only what mattered changes a thread: text that streams in would have it read for every part.
  const version = `${inView(story, 'mattered').length}`
  const file = useAnswer(described.description.file?.(thread), { version, reveal })
  const query = queryIn(described, asked)
  const head = place.seq
  const watched = useWatched(query.watched, { thread, version, reveal })
  if (place.status === 'refused' && !isOver) return <RefusedNotice code={thread} />
  const shown = {
    thread,
    head,
    story,
    personalData,
    reveal,
    file,
    query,
    onAsk: ask,
    onSelect: goTo,
  }
  const showPane = (chosen: Pane): void => {
    flushSync(() => choosePane(chosen))
    document.querySelector<HTMLElement>(`main [data-pane-part=${chosen}]`)?.focus()
  }
  const commands = () =>
    auditCommands({
      ...shown,
      fileName: described.description.fileName,
      places,
      onChoose: showPane,
    })
  const jump = (to: number): void => {
    const from = Math.max(0, to - Math.floor(WINDOW_RECORDS_MAX / 2))
    ask({ ev: to, from: to > start.after ? undefined : from })
  }
  return (
    <ThreadContext value={described}>
      <div className={styles.page}>
        <AuditHeader shown={shown} place={place} commands={commands} />
        <ViewTabs query={query} onAsk={ask} />
        <Strips
          thread={thread}
          erasedAt={place.erasedAt}
          erased={erased}
          revealing={revealing}
          onSelect={goTo}
        />
        {query.tab === 'runs' && <RunsView entry={entry} records={records} onSelect={goTo} />}
        {query.tab === 'compare' && (
          <CompareView
            a={{ thread, seq: query.ev ?? head }}
            query={query}
            onAsk={ask}
            onSelect={goTo}
          />
        )}
        {query.tab === 'what-if' && (
          <WhatIfView
            at={{ thread, seq: query.ev ?? head }}
            fork={query.fork}
            onAsk={ask}
            onSelect={goTo}
          />
        )}
        {query.tab === 'thread' && (
          <>
            <PaneChoice pane={pane} at={query.ev} onChoose={choosePane} />
            <main className={styles.panes} data-pane={pane}>
              <TimelinePane
                thread={thread}
                query={query}
                window={{
                  first: records[0]?.seq ?? 0,
                  last: older ? (records.at(-1)?.seq ?? head) : head,
                  head,
                }}
                watched={watched}
                connection={connectionOf(place)}
                onAsk={ask}
                onSelect={select}
              />
              <FilePane {...shown} />
            </main>
            <Scrubber
              rows={matching(story, query, described.description.sides)}
              head={head}
              selected={query.ev}
              onSelect={select}
              onJump={jump}
            />
          </>
        )}
      </div>
    </ThreadContext>
  )
}

/** Drops the parts of an address's query that this thread does not have. */
function queryIn({ description, story }: DescribedThread, asked: AuditQuery): AuditQuery {
  const sides = asked.sides.filter((side) => Object.hasOwn(description.sides?.words ?? {}, side))
  // A link to a record shows it, also where the view that the link names leaves it out.
  return { ...asked, sides, ...(isOnlyInAll(story, asked) && { view: 'all' }) }
}
