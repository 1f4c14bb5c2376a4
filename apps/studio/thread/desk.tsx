import { latestRun } from 'throughline/activity'
import type { LiveAgentThread } from 'throughline/react'
import type { PendingPrompt } from './pending-prompts.ts'
import { StartForm } from './start-form.tsx'
import type { Served } from './start-form.tsx'
import styles from './thread.module.css'
import { WaitingCard } from './waiting-card.tsx'

export interface DeskProps {
  readonly thread: LiveAgentThread
  readonly prompts: readonly PendingPrompt[]
  readonly served: Served
}

/** Where a person acts: answers what the agents ask, or else asks them. */
export function Desk({ thread, prompts, served }: DeskProps) {
  const { tree, questions } = thread
  const run = latestRun(tree)
  const question = questions.find((each) => each.run === run?.run)
  return (
    <div className={`${styles.desk} ${question ? '' : styles.pinned}`} data-focus-area>
      <div className={styles.place} tabIndex={-1} data-focus-here>
        {question ? (
          <WaitingCard key={question.run} thread={thread} question={question} />
        ) : (
          <StartForm
            thread={thread}
            served={served}
            prompts={prompts}
            working={run?.state.status === 'working' ? run.run : undefined}
            latest={tree.turns.at(-1)?.runs[0]?.agent}
          />
        )}
      </div>
    </div>
  )
}
