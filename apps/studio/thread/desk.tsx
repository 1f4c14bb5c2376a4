import { latestRun } from 'throughline/client'
import type { WaitingTurn } from 'throughline/client'
import type { LiveAgentThread } from 'throughline/react'
import type { PendingPrompt } from './pending-prompts.ts'
import { StartForm } from './start-form.tsx'
import type { Served } from './start-form.tsx'
import { DESK } from './thread-commands.ts'
import paneStyles from './panes.module.css'
import styles from './thread.module.css'
import { WaitingCard } from './waiting-card.tsx'

export interface AskProps {
  readonly thread: LiveAgentThread
  readonly prompts: readonly PendingPrompt[]
  readonly served: Served
}

/** The form for messages to the agents. */
export function Ask({ thread, prompts, served }: AskProps) {
  const { tree } = thread
  const run = latestRun(tree)
  return (
    <div className={`${styles.desk} ${paneStyles.pinned}`} data-focus-area>
      <div id={DESK} className={styles.place} tabIndex={-1} data-focus-here>
        <StartForm
          thread={thread}
          served={served}
          prompts={prompts}
          working={run?.state.status === 'working' ? run.run : undefined}
          latest={tree.turns.at(-1)?.runs[0]?.agent}
        />
      </div>
    </div>
  )
}

export interface NeedsProps {
  readonly thread: LiveAgentThread
  readonly question: WaitingTurn
}

/** The form for answers to the agents' open question. */
export function Needs({ thread, question }: NeedsProps) {
  return (
    <div className={paneStyles.asking}>
      <div id={DESK} className={styles.place} tabIndex={-1}>
        <WaitingCard key={question.run} thread={thread} question={question} />
      </div>
    </div>
  )
}
