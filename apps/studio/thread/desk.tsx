import type { RunTree } from 'throughline/activity'
import { latestRun } from 'throughline/activity'
import type { PageEntry } from '../../kit/index.ts'
import { StartForm } from './start-form.tsx'
import styles from './thread.module.css'
import type { Prompts } from './use-prompt.ts'
import type { ServedAgents } from './use-served-agents.ts'
import { WaitingCard } from './waiting-card.tsx'

export interface DeskProps {
  readonly entry: PageEntry
  readonly tree: RunTree
  readonly prompts: Prompts
  readonly served: ServedAgents
  readonly onLookAgain: () => void
}

/** Where a person acts: answers what the agents ask, or else asks them. */
export function Desk({ entry, tree, prompts, served, onLookAgain }: DeskProps) {
  const run = latestRun(tree)
  const waiting = run?.state.status === 'waiting' ? run.state.waits : undefined
  return (
    <div className={`${styles.desk} ${waiting ? '' : styles.pinned}`} data-focus-area>
      <div className={styles.place} tabIndex={-1} data-focus-here>
        {run && waiting ? (
          <WaitingCard key={run.run} entry={entry} run={run.run} waits={waiting} />
        ) : (
          <StartForm
            entry={entry}
            served={served}
            onLookAgain={onLookAgain}
            prompts={prompts}
            working={run?.state.status === 'working' ? run.run : undefined}
            latest={tree.turns.at(-1)?.runs[0]?.agent}
          />
        )}
      </div>
    </div>
  )
}
