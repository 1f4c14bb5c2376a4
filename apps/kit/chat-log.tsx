import { Button } from './button.tsx'
import { ChatBubble } from './chat-bubble.tsx'
import styles from './chat.module.css'
import type { Chat } from './use-chat.ts'
import { useFollowEnd } from './use-follow-end.ts'
import type { Turns } from './use-turns.ts'
import { WORDS } from './words.ts'

export interface ChatLogProps {
  readonly chat: Chat
  readonly turns: Turns
}

/**
 * The messages of a conversation. What is still being written stands outside the live region, so that
 * a screen reader hears each message once and whole.
 */
export function ChatLog({ chat, turns }: ChatLogProps) {
  const whole = chat.messages.filter(({ status, text }) => status === 'complete' && text !== '')
  const open = chat.messages.find(({ status }) => status === 'open')
  const { end, unread, showEnd } = useFollowEnd(versionOf(chat))
  return (
    <div className={styles.chat}>
      <div className={styles.log} role="log" aria-label={WORDS.chat.log}>
        {whole.map(({ id, role, text }) => (
          <ChatBubble key={id} role={role === 'user' ? 'user' : 'assistant'} text={text} />
        ))}
      </div>
      {open && open.text !== '' && <ChatBubble role="assistant" text={open.text} />}
      {chat.pending && (
        <ChatBubble role="user" text={chat.pending.text}>
          {chat.pending.status === 'failed' && <NotSent retry={() => void turns.retry()} />}
        </ChatBubble>
      )}
      <div ref={end} className={styles.end} />
      {unread === 'some' && (
        <div className={styles.unread}>
          <Button look="secondary" onClick={showEnd}>
            {WORDS.chat.newMessages}
          </Button>
        </div>
      )}
    </div>
  )
}

function NotSent({ retry }: { readonly retry: () => void }) {
  return (
    <div className={styles.failure} role="alert">
      {WORDS.chat.notSent}
      <Button look="secondary" onClick={retry}>
        {WORDS.chat.tryAgain}
      </Button>
    </div>
  )
}

function versionOf({ messages, pending }: Chat): string {
  return `${messages.length} ${messages.at(-1)?.text.length} ${pending?.text}`
}
