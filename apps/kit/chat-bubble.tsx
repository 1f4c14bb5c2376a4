import type { ReactNode } from 'react'
import { ActorMark } from './actor-mark.tsx'
import styles from './chat.module.css'
import { helpLinksIn } from './help-links.ts'
import { WORDS } from './words.ts'

export interface ChatBubbleProps {
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly children?: ReactNode
}

export function ChatBubble({ role, text, children }: ChatBubbleProps) {
  return (
    <div className={`${styles.bubble} ${styles[role]}`}>
      <p className={styles.who}>
        <ActorMark actor={role === 'user' ? 'person' : 'model'} />
        <span aria-hidden="true">{role === 'user' ? WORDS.chat.you : WORDS.chat.assistant}</span>
      </p>
      <p className={styles.text} dir="auto">
        {role === 'assistant' ? <Reply text={text} /> : text}
      </p>
      {children}
    </div>
  )
}

/** Opens the help page beside this one: the conversation stays as it is. */
function Reply({ text }: Pick<ChatBubbleProps, 'text'>) {
  return helpLinksIn(text).map(({ text: words, href }, at) =>
    href === undefined ? (
      words
    ) : (
      <a key={at} href={href} target="_blank" rel="noopener">
        {words}
      </a>
    ),
  )
}
