import { latestRun } from 'throughline/client'
import type { LiveAgentThread } from 'throughline/react'
import { PendingBubble } from './pending-bubble.tsx'
import type { PendingPrompt } from './pending-prompts.ts'
import { TurnList } from './turn-list.tsx'
import { WORDS } from './words.ts'
import { inBackground } from '../../kit/index.ts'

export interface LedgerProps {
  readonly thread: LiveAgentThread
  readonly prompts: readonly PendingPrompt[]
  readonly depthMax: number
  readonly onDepth: (depthMax: number) => void
}

/** The requests and their results. */
export function Ledger({ thread, prompts, depthMax, onDepth }: LedgerProps) {
  const { tree, phase, retry } = thread
  const ahead = latestRun(tree)?.state.status === 'working' ? 'some' : 'none'
  return (
    <>
      <TurnList thread={thread} depthMax={depthMax} onDepth={onDepth} />
      {tree.turns.length === 0 && prompts.length === 0 && (
        <p role="status">{phase === 'opening' ? WORDS.opening : WORDS.empty}</p>
      )}
      {prompts.map((prompt) => (
        <PendingBubble
          key={prompt.key}
          prompt={prompt}
          ahead={ahead}
          onRetry={() => inBackground(retry(prompt.key))}
        />
      ))}
    </>
  )
}
