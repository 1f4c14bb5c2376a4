import { useEffect } from 'react'
import { latestRun } from 'throughline/activity'
import type { PageEntry } from '../../kit/index.ts'
import { ConnectionBanner, RefusedNotice } from '../../kit/index.ts'
import { Announcements } from './announcements.tsx'
import { Desk } from './desk.tsx'
import { FollowedMain } from './followed-main.tsx'
import { Ledger } from './ledger.tsx'
import { ThreadHeader } from './thread-header.tsx'
import styles from './thread.module.css'
import { UsageTable } from './usage-table.tsx'
import { useDepth } from './use-depth.ts'
import { usePrompts } from './use-prompt.ts'
import { useRuns } from './use-runs.ts'
import { useServedAgents } from './use-served-agents.ts'
import { WORDS } from './words.ts'

/** Any thread of agents, live: who works on what, what it used, and a place to ask, answer and stop. */
export function ThreadPage({ entry }: { readonly entry: PageEntry }) {
  const { live, phase, reopen } = useRuns(entry)
  const [served, lookAgain] = useServedAgents(entry)
  const [depthMax, showDepth] = useDepth()
  const { tree, usage } = live.view
  const prompts = usePrompts(entry, tree, () => phase === 'absent' && reopen())
  useTitle(entry.thread, latestRun(tree)?.state.status === 'waiting' ? WORDS.needsYou : '')
  // A thread that does not exist yet is refused too; who may see the agents may begin it.
  if (phase === 'absent' && served.status === 'failed') return <RefusedNotice />
  return (
    <div className={styles.page}>
      <ThreadHeader
        entry={entry}
        live={live}
        phase={phase}
        depthMax={depthMax}
        onDepth={showDepth}
      />
      <ConnectionBanner live={live} />
      <div className={styles.panes}>
        <FollowedMain version={`${live.seq} ${prompts.pending.length}`}>
          <Ledger
            entry={entry}
            tree={tree}
            pending={prompts.pending}
            depthMax={depthMax}
            phase={phase}
          />
          <Desk
            entry={entry}
            tree={tree}
            prompts={prompts}
            served={served}
            onLookAgain={lookAgain}
          />
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
