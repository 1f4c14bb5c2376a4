import { useEffect, useRef } from 'react'
import { latestRun } from 'throughline/client'
import { useAgentThread, useServedAgents } from 'throughline/react'
import type { LiveAgentThread } from 'throughline/react'
import type { Command, PageEntry } from '../../kit/index.ts'
import { ConnectionBanner, RefusedNotice } from '../../kit/index.ts'
import { Announcements } from './announcements.tsx'
import { Ask, Needs } from './desk.tsx'
import { Conversations } from './conversations.tsx'
import { FollowedMain } from './followed-main.tsx'
import { Ledger } from './ledger.tsx'
import { pendingPrompts } from './pending-prompts.ts'
import { DESK } from './thread-commands.ts'
import { ThreadHeader } from './thread-header.tsx'
import paneStyles from './panes.module.css'
import styles from './thread.module.css'
import { UsageSummary } from './usage-summary.tsx'
import type { Served } from './start-form.tsx'
import { useConversations } from './use-conversations.ts'
import { useDepth } from './use-depth.ts'
import { WORDS } from './words.ts'

export interface ThreadPageProps {
  readonly entry: PageEntry
  /** The commands that lead to other pages. */
  readonly places: () => readonly Command[]
}

/** Any thread of agents, live: the work of each agent, its usage, and a place to ask, answer and stop. */
export function ThreadPage({ entry, places }: ThreadPageProps) {
  const thread = useAgentThread(entry)
  const served = useServedAgents({ role: entry.role })
  const [depthMax, showDepth] = useDepth()
  const { tree, usage, questions, phase, status, origin, seq } = thread
  const prompts = pendingPrompts(thread.pending)
  const run = latestRun(tree)
  const question = questions.find((each) => each.run === run?.run)
  useFocusOnAsk(question?.run)
  const conversations = useConversations({
    role: entry.role,
    application: applicationOf(served, run?.agent),
    version: `${tree.turns.length} ${run?.state.status}`,
  })
  useTitle(entry.thread, run?.state.status === 'waiting' ? WORDS.needsYou : '')
  if (isRefused(thread, served)) return <RefusedNotice />
  return (
    <div className={styles.page}>
      <ThreadHeader
        id={entry.thread}
        thread={thread}
        places={places}
        depthMax={depthMax}
        onDepth={showDepth}
      />
      <ConnectionBanner live={{ status, view: { origin } }} />
      <div className={paneStyles.panes}>
        <FollowedMain version={`${seq} ${prompts.length}`}>
          <Ledger thread={thread} prompts={prompts} depthMax={depthMax} onDepth={showDepth} />
          {question === undefined && <Ask thread={thread} prompts={prompts} served={served} />}
        </FollowedMain>
        <aside className={paneStyles.side} aria-label={WORDS.side}>
          {question && <Needs thread={thread} question={question} />}
          <UsageSummary usage={usage} />
        </aside>
        {conversations && <Conversations conversations={conversations} thread={entry.thread} />}
      </div>
      <Announcements key={depthMax} tree={tree} depthMax={depthMax} phase={phase} />
    </div>
  )
}

/** The application whose conversations are listed: the one that is at work here, or would be. */
function applicationOf(served: Served, agent: string | undefined): string | undefined {
  if (served.status !== 'answered') return undefined
  const { agents } = served
  const asked = agents.find(({ name }) => name === agent) ?? agents.find(({ begins }) => begins)
  return asked?.application
}

/** Once a question is answered the focus, if it was there, moves to where the next one is asked. */
function useFocusOnAsk(question: string | undefined): void {
  const before = useRef(question)
  useEffect(() => {
    const isAnswered = before.current !== undefined && question === undefined
    before.current = question
    if (isAnswered && document.activeElement === document.body) {
      document.getElementById(DESK)?.focus()
    }
  }, [question])
}

function useTitle(thread: string, prefix: string): void {
  useEffect(() => {
    document.title = `${prefix}${WORDS.thread(thread)}`
  }, [thread, prefix])
}

/** The server finds no thread that does not exist yet; a caller with access to the agents may begin it. */
function isRefused({ phase, error }: LiveAgentThread, served: Served): boolean {
  const isClosed = error?.problem !== undefined && error.problem.status !== 404
  return phase === 'absent' && (isClosed || served.status === 'failed')
}
