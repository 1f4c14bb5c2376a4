import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { ChatBubble } from './chat-bubble.tsx'
import styles from './chat.module.css'
import { withoutBegunLink } from './help-links.ts'
import { ReplyMissing } from './reply-missing.tsx'
import { TurnProblem } from './turn-problem.tsx'
import { TURN_WORDS } from './turn-words.ts'
import type { ChatItem } from './chat-items.ts'
import type { Chat, PendingMessage } from './use-chat.ts'
import type { Turns } from './use-turns.ts'
import { WORDS } from './words.ts'

export interface ChatLogProps {
  readonly chat: Chat
  readonly turns: Turns
}

/**
 * The messages of a conversation. A message that is still being written is outside the live region, so that
 * a screen reader hears each message once and whole.
 */
export function ChatLog({ chat, turns }: ChatLogProps) {
  const { messages, items, pending, following } = chat
  const { end, latest } = following
  const open = messages.find(({ status, text }) => status === 'open' && text !== '')
  const lastItem = items.at(-1)
  const last = pending.at(-1)?.key ?? open?.id ?? (lastItem && keyOf(lastItem))
  const hold = (key: string) => (key === last ? latest : undefined)
  return (
    <div className={styles.chat}>
      <div className={styles.log} role="log" aria-label={WORDS.chat.log}>
        {items.map((item) => (
          <Place key={keyOf(item)} hold={hold(keyOf(item))}>
            <Said item={item} />
          </Place>
        ))}
      </div>
      {open && (
        <Place hold={hold(open.id)}>
          <ChatBubble role="assistant" text={withoutBegunLink(open.text)} />
        </Place>
      )}
      {pending.map((message) => (
        <Place key={message.key} hold={hold(message.key)}>
          <ChatBubble role="user" text={message.text}>
            {message.status === 'offline' && <p className={styles.stopped}>{WORDS.chat.waits}</p>}
            {message.status === 'failed' && <NotSent message={message} turns={turns} />}
          </ChatBubble>
        </Place>
      ))}
      <TurnProblem turns={turns} place="chat" />
      <ReplyMissing chat={chat} turns={turns} />
      <div ref={end} className={styles.end} />
    </div>
  )
}

function keyOf(item: ChatItem): string {
  return item.kind === 'message' ? item.message.id : item.key
}

function Said({ item }: { readonly item: ChatItem }) {
  if (item.kind === 'silence') return <p className={styles.stopped}>{WORDS.stop.silent}</p>
  const { message, end } = item
  const text = end === 'whole' ? message.text : withoutBegunLink(message.text)
  return (
    <ChatBubble role={message.role} text={text}>
      {end !== 'whole' && <p className={styles.stopped}>{WORDS.cut[end]}</p>}
    </ChatBubble>
  )
}

interface PlaceProps {
  readonly hold: Chat['following']['latest'] | undefined
  readonly children: ReactNode
}

/** Can be brought into view, and take the focus when it is. */
function Place({ hold, children }: PlaceProps) {
  return (
    <div ref={hold} className={styles.place} tabIndex={-1}>
      {children}
    </div>
  )
}

interface NotSentProps {
  readonly message: PendingMessage & { readonly status: 'failed' }
  readonly turns: Turns
}

function NotSent({ message, turns }: NotSentProps) {
  const readiness = turns.status === 'sending' ? 'waiting' : 'ready'
  return (
    <div className={styles.failure}>
      <span role="alert">{WORDS.chat.notSent}</span>
      <Button look="quiet" readiness={readiness} onClick={message.retry}>
        {WORDS.chat.tryAgain}
      </Button>
      <Button look="bare" readiness={readiness} onClick={message.remove}>
        {TURN_WORDS.remove}
      </Button>
    </div>
  )
}
