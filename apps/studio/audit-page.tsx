import { useCallback, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { useEvents } from 'throughline/react'
import { storyOf } from '../broker/audit/story.ts'
import type { PageEntry } from '../kit/index.ts'
import { RefusedNotice } from '../kit/index.ts'
import { auditCommands } from './audit-commands.ts'
import { AuditHeader } from './audit-header.tsx'
import { NO_FILTERS, inView, isOnlyInAll } from './audit-query.ts'
import { connectionOf } from './connection.ts'
import { CaseFile } from './case-file.tsx'
import type { Pane } from './pane-choice.tsx'
import { PaneChoice } from './pane-choice.tsx'
import styles from './studio.module.css'
import { TimelinePane } from './timeline-pane.tsx'
import { useTellActs } from './use-tell-acts.ts'
import { useAuditQuery } from './use-audit-query.ts'
import { useCaseFile } from './use-case-file.ts'

export function AuditPage({ entry }: { readonly entry: PageEntry }) {
  const { thread, role } = entry
  const url = `/api/threads/${encodeURIComponent(thread)}/events`
  const { records, ...place } = useEvents({ url, role })
  const { status, seq } = place
  const story = useMemo(() => storyOf(records), [records])
  useTellActs(story)
  const [asked, ask] = useAuditQuery()
  const [pane, choosePane] = useState<Pane>('timeline')
  const select = useCallback((ev: number) => ask({ ev }), [ask])
  const goTo = (ev: number): void => {
    ask({ ...NO_FILTERS, ev })
    choosePane('timeline')
  }
  // Only what mattered changes a case: text that streams in would have it read for every part.
  const answer = useCaseFile(thread, `${inView(story, 'mattered').length}`)
  if (status === 'refused') return <RefusedNotice code={thread} />
  // A link to a record shows it, also where the view that the link names leaves it out.
  const query = isOnlyInAll(story, asked) ? { ...asked, view: 'all' as const } : asked
  const state = answer.status === 'answered' ? answer.file.state : undefined
  const showPane = (chosen: Pane): void => {
    flushSync(() => choosePane(chosen))
    document.querySelector<HTMLElement>(`main [data-pane-part=${chosen}]`)?.focus()
  }
  const commands = () =>
    auditCommands({
      thread,
      kind: answer.status === 'failed' ? 'agents' : 'case',
      story,
      query,
      onAsk: ask,
      onChoose: showPane,
      onSelect: goTo,
    })
  return (
    <div className={styles.page}>
      <AuditHeader thread={thread} place={place} state={state} commands={commands} />
      <PaneChoice pane={pane} at={query.ev} onChoose={choosePane} />
      <main className={styles.panes} data-pane={pane}>
        <TimelinePane
          thread={thread}
          story={story}
          query={query}
          connection={connectionOf(place)}
          onAsk={ask}
          onSelect={select}
        />
        <CaseFile
          thread={thread}
          head={seq}
          answer={answer}
          story={story}
          query={query}
          onAsk={ask}
          onSelect={goTo}
        />
      </main>
    </div>
  )
}
