import { useEffect } from 'react'
import { latestRun } from 'throughline/activity'
import { useAgentThread, useServedAgents } from 'throughline/react'
import type { PageEntry } from '../../kit/index.ts'
import { ConnectionBanner, RefusedNotice } from '../../kit/index.ts'
import { Announcements } from './announcements.tsx'
import { Desk } from './desk.tsx'
import { FollowedMain } from './followed-main.tsx'
import { Ledger } from './ledger.tsx'
import { pendingPrompts } from './pending-prompts.ts'
import { ThreadHeader } from './thread-header.tsx'
import styles from './thread.module.css'
import { UsageTable } from './usage-table.tsx'
import { useDepth } from './use-depth.ts'
import { WORDS } from './words.ts'

/** Any thread of agents, live: who works on what, what it used, and a place to ask, answer and stop. */
export function ThreadPage({ entry }: { readonly entry: PageEntry }) {
  const thread = useAgentThread(entry)
  const served = useServedAgents({ role: entry.role })
  const [depthMax, showDepth] = useDepth()
  const { tree, usage, phase, status, origin, seq } = thread
  const prompts = pendingPrompts(thread.pending)
  useTitle(entry.thread, latestRun(tree)?.state.status === 'waiting' ? WORDS.needsYou : '')
  // A thread that does not exist yet is refused too; who may see the agents may begin it.
  if (phase === 'absent' && served.status === 'failed') return <RefusedNotice />
  return (
    <div className={styles.page}>
      <ThreadHeader id={entry.thread} thread={thread} depthMax={depthMax} onDepth={showDepth} />
      <ConnectionBanner live={{ status, view: { origin } }} />
      <div className={styles.panes}>
        <FollowedMain version={`${seq} ${prompts.length}`}>
          <Ledger thread={thread} prompts={prompts} depthMax={depthMax} />
          <Desk thread={thread} prompts={prompts} served={served} />
        </FollowedMain>
        <aside className={styles.usage} aria-label={WORDS.usage.heading}>
          <h2>{WORDS.usage.heading}</h2>
          <p id="usage-caption" className={styles.note}>
            {WORDS.usage.caption}
          </p>
          <UsageTable usage={usage} describedBy="usage-caption" />
        </aside>
      </div>
      <Announcements key={depthMax} tree={tree} depthMax={depthMax} phase={phase} />
    </div>
  )
}

function useTitle(thread: string, prefix: string): void {
  useEffect(() => {
    document.title = `${prefix}${WORDS.thread(thread)}`
  }, [thread, prefix])
}
