import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Command, PageEntry } from '../kit/index.ts'
import { RefusedNotice } from '../kit/index.ts'
import { auditCommands } from './audit-commands.ts'
import { AuditHeader } from './audit-header.tsx'
import type { AuditQuery } from './audit-query.ts'
import { NO_FILTERS, inView, isOnlyInAll } from './audit-query.ts'
import { connectionOf } from './connection.ts'
import type { ThreadDescription } from './description.ts'
import { FilePane } from './file-pane.tsx'
import type { Pane } from './pane-choice.tsx'
import { PaneChoice } from './pane-choice.tsx'
import { Strips } from './strips.tsx'
import styles from './studio.module.css'
import type { DescribedThread } from './thread-context.ts'
import { ThreadContext } from './thread-context.ts'
import { TimelinePane } from './timeline-pane.tsx'
import { useAnswer } from './use-answer.ts'
import { useAuditQuery } from './use-audit-query.ts'
import { erasureIn } from './use-erasure.ts'
import { useDescribedThread } from './use-described-thread.ts'
import { useReveal } from './use-reveal.ts'
import { useShownRecords } from './use-shown-records.ts'

export interface AuditPageProps {
  readonly entry: PageEntry
  /** Of the applications whose threads it may show; the same ones at each drawing. */
  readonly descriptions: readonly ThreadDescription[]
  /** The commands that lead to other pages. */
  readonly places: () => readonly Command[]
}

/** Shows a thread's records with their causes, and its state. */
export function AuditPage({ entry, descriptions, places }: AuditPageProps) {
  const { thread } = entry
  const revealing = useReveal(entry)
  const seq = revealing.reveal.status === 'shown' ? revealing.reveal.seq : undefined
  const { records, ...place } = useShownRecords(entry, seq)
  const described = useDescribedThread(records, descriptions, revealing.reveal)
  const { description, story, personalData, reveal } = described
  const { hide } = revealing
  const erased = erasureIn(records)
  const isOver = reveal !== undefined && (place.status === 'refused' || erased !== undefined)
  useEffect(() => {
    // The reveal has ended, or has nothing to show any more: the page reads on without it.
    if (isOver) hide()
  }, [isOver, hide])
  const [asked, ask] = useAuditQuery()
  const [pane, choosePane] = useState<Pane>('timeline')
  const select = useCallback((ev: number) => ask({ ev }), [ask])
  const goTo = (ev: number): void => {
    ask({ ...NO_FILTERS, ev })
    choosePane('timeline')
  }
  // Only what mattered changes a thread: text that streams in would have it read for every part.
  const version = `${inView(story, 'mattered').length}`
  const file = useAnswer(description.file?.(thread), { version, reveal })
  if (place.status === 'refused' && !isOver) return <RefusedNotice code={thread} />
  const query = queryIn(described, asked)
  const head = place.seq
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
    auditCommands({ ...shown, fileName: description.fileName, places, onChoose: showPane })
  return (
    <ThreadContext value={described}>
      <div className={styles.page}>
        <AuditHeader shown={shown} place={place} commands={commands} />
        <Strips
          thread={thread}
          erasedAt={place.erasedAt}
          erased={erased}
          revealing={revealing}
          onSelect={goTo}
        />
        <PaneChoice pane={pane} at={query.ev} onChoose={choosePane} />
        <main className={styles.panes} data-pane={pane}>
          <TimelinePane
            thread={thread}
            query={query}
            connection={connectionOf(place)}
            onAsk={ask}
            onSelect={select}
          />
          <FilePane {...shown} />
        </main>
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
