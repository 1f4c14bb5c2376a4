import { useState } from 'react'
import type { RunTree } from 'throughline/client'
import { completeTexts } from 'throughline/client'
import type { AgentThreadSnapshot } from 'throughline/react'
import { VisuallyHidden } from '../../kit/index.ts'
import { WORDS } from './words.ts'

export interface AnnouncementsProps {
  readonly tree: RunTree
  readonly depthMax: number
  readonly phase: AgentThreadSnapshot['phase']
}

/**
 * Announces each message once and whole to screen readers: the tree itself changes with every word. What
 * was there when the page was opened is not news.
 */
export function Announcements({ tree, depthMax, phase }: AnnouncementsProps) {
  const [known, setKnown] = useState<ReadonlySet<string>>()
  const turn = tree.turns.at(-1)
  const texts = turn ? completeTexts(turn, depthMax) : []
  if (known === undefined && phase !== 'opening') setKnown(new Set(texts.map(({ key }) => key)))
  return (
    <VisuallyHidden>
      <span role="log" aria-label={WORDS.announcements}>
        {texts
          .filter(({ key }) => known?.has(key) === false)
          .map(({ key, agent, text }) => (
            <span key={key}>
              {agent}: {text}{' '}
            </span>
          ))}
      </span>
    </VisuallyHidden>
  )
}
