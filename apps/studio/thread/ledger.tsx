import type { RunTree } from 'throughline/activity'
import { latestRun } from 'throughline/activity'
import type { PageEntry } from '../../kit/index.ts'
import { PendingBubble } from './pending-bubble.tsx'
import { TurnList } from './turn-list.tsx'
import type { PendingPrompt } from './use-prompt.ts'
import type { FollowedRuns } from './use-runs.ts'
import { WORDS } from './words.ts'

export interface LedgerProps {
  readonly entry: PageEntry
  readonly tree: RunTree
  readonly pending: readonly PendingPrompt[]
  readonly depthMax: number
  readonly phase: FollowedRuns['phase']
}

/** What was asked and done. */
export function Ledger({ entry, tree, pending, depthMax, phase }: LedgerProps) {
  const ahead = latestRun(tree)?.state.status === 'working' ? 'some' : 'none'
  return (
    <>
      <TurnList entry={entry} tree={tree} depthMax={depthMax} />
      {tree.turns.length === 0 && pending.length === 0 && (
        <p role="status">{phase === 'opening' ? WORDS.opening : WORDS.empty}</p>
      )}
      {pending.map((prompt) => (
        <PendingBubble key={prompt.key} prompt={prompt} ahead={ahead} />
      ))}
    </>
  )
}
