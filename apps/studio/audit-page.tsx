import { useCallback, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Command, PageEntry } from '../kit/index.ts'
import { RefusedNotice } from '../kit/index.ts'
import { auditCommands } from './audit-commands.ts'
import { AuditHeader } from './audit-header.tsx'
import type { AuditQuery } from './audit-query.ts'
import { NO_FILTERS, inView, isOnlyInAll } from './audit-query.ts'
import { AuditViews } from './audit-views.tsx'
import type { ThreadDescription } from './description.ts'
import type { Pane } from './pane-choice.tsx'
import { RoleContext } from './role-context.ts'
import { Strips } from './strips.tsx'
import styles from './studio.module.css'
import { ThreadContext } from './thread-context.ts'
import type { DescribedThread } from './thread-context.ts'
import { useAnswer } from './use-answer.ts'
import { useAuditQuery } from './use-audit-query.ts'
import { useAuditedThread } from './use-audited-thread.ts'
import { useThreadStart } from './use-thread-start.ts'
import type { ThreadStart } from './use-thread-start.ts'
import { ViewTabs } from './view-tabs.tsx'
import { WORDS } from './words.ts'

export interface AuditPageProps {
  readonly entry: PageEntry
  /** Of the applications whose threads it may show; the same ones at each drawing. */
  readonly descriptions: readonly ThreadDescription[]
  /** The commands that lead to other pages. */
  readonly places: () => readonly Command[]
}

/** Shows a thread: its records with their causes, its runs, what differs from another one, and forks of it. */
export function AuditPage(props: AuditPageProps) {
  return (
    <RoleContext value={props.entry.role}>
      <OpeningAudit {...props} />
    </RoleContext>
  )
}

function OpeningAudit(props: AuditPageProps) {
  const start = useThreadStart(props.entry.thread)
  if (start) return <OpenedAudit {...props} start={start} />
  return (
    <main className={styles.found}>
      <p role="status">{WORDS.opening}</p>
    </main>
  )
}

type OpenedAuditProps = AuditPageProps & { readonly start: ThreadStart }

function OpenedAudit({ entry, descriptions, places, start }: OpenedAuditProps) {
  const { thread } = entry
  const [asked, ask] = useAuditQuery()
  const audited = useAuditedThread({ entry, descriptions, start, from: asked.from })
  const { place, described, isOver } = audited
  const { description, story, personalData, reveal } = described
  const [pane, choosePane] = useState<Pane>('timeline')
  const goTo = useCallback(
    (ev: number): void => {
      ask({ ...NO_FILTERS, ev, tab: 'thread' })
      choosePane('timeline')
    },
    [ask],
  )
  // Only what mattered changes a thread: text that streams in would have it read for every part.
  const version = `${inView(story, 'mattered').length}`
  const file = useAnswer(description.file?.(thread), { version, reveal })
  const query = queryIn(described, asked)
  if (place.status === 'refused' && !isOver) return <RefusedNotice code={thread} />
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
    flushSync(() => {
      ask({ tab: 'thread' })
      choosePane(chosen)
    })
    document.querySelector<HTMLElement>(`main [data-pane-part=${chosen}]`)?.focus()
  }
  const commands = () =>
    auditCommands({ ...shown, fileName: description.fileName, places, onChoose: showPane })
  return (
    <ThreadContext value={described}>
      <div className={styles.page}>
        <AuditHeader shown={shown} place={place} commands={commands} />
        <ViewTabs query={query} onAsk={ask} />
        <Strips
          thread={thread}
          erasedAt={place.erasedAt}
          erased={audited.erased}
          revealing={audited.revealing}
          onSelect={goTo}
        />
        <AuditViews
          entry={entry}
          audited={audited}
          shown={shown}
          after={start.after}
          version={version}
          pane={pane}
          onPane={choosePane}
        />
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
