import { Hand, LoaderCircle, Plus } from 'lucide'
import { Icon, LinkButton, Tag, time } from '../../kit/index.ts'
import styles from './conversations.module.css'
import type { Conversation } from './use-conversations.ts'
import { WORDS } from './words.ts'

export interface ConversationsProps {
  readonly conversations: readonly Conversation[]
  /** The thread that is open. */
  readonly thread: string
}

/** The conversations of this application, the one that moved last first. */
export function Conversations({ conversations, thread }: ConversationsProps) {
  return (
    <nav className={styles.conversations} aria-label={WORDS.conversations.heading}>
      <div className={styles.head}>
        <h2>{WORDS.conversations.heading}</h2>
        <LinkButton look="quiet" href={addressOf(crypto.randomUUID())}>
          <Icon shape={Plus} /> {WORDS.conversations.new}
        </LinkButton>
      </div>
      <ul className={styles.list}>
        {conversations.map((conversation) => (
          <li key={conversation.thread}>
            <a
              className={styles.link}
              href={addressOf(conversation.thread)}
              aria-current={conversation.thread === thread ? 'page' : undefined}
            >
              <span className={styles.subject}>{conversation.subject}</span>
              <span className={styles.line}>
                <Status conversation={conversation} />
                <time dateTime={new Date(conversation.ts).toISOString()}>
                  {time(conversation.ts)}
                </time>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Status({ conversation: { status, agent } }: { readonly conversation: Conversation }) {
  switch (status) {
    case 'waiting':
      return (
        <Tag tone="warning" icon={Hand}>
          {WORDS.conversations.waiting}
        </Tag>
      )
    case 'working':
      return <Tag icon={LoaderCircle}>{WORDS.now.working(agent)}</Tag>
    case 'idle':
      return <Tag>{WORDS.conversations.idle}</Tag>
  }
}

function addressOf(thread: string): string {
  return `/threads/${encodeURIComponent(thread)}`
}
