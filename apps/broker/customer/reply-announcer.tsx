import { useState } from 'react'
import type { Chat } from '../../kit/index.ts'
import { VisuallyHidden, withoutLinks } from '../../kit/index.ts'
import { lastReply } from './ask-line.tsx'
import { SHELL_WORDS } from './shell-words.ts'

/** Reads each new reply out once and whole while the conversation is closed. */
export function ReplyAnnouncer({ items }: Pick<Chat, 'items'>) {
  const [before] = useState(() => lastReply(items)?.message.id)
  const latest = lastReply(items)?.message
  return (
    <VisuallyHidden>
      <span role="log" aria-label={SHELL_WORDS.ask.latest}>
        {latest && latest.id !== before && <span key={latest.id}>{withoutLinks(latest.text)}</span>}
      </span>
    </VisuallyHidden>
  )
}
