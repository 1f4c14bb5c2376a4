import { ChevronUp } from 'lucide'
import type { Chat } from '../../kit/index.ts'
import { ActorMark, Icon, useOnline, withoutLinks } from '../../kit/index.ts'
import styles from './ask-line.module.css'
import { SHELL_WORDS } from './shell-words.ts'

const words = SHELL_WORDS.ask

export interface AskLineProps {
  readonly chat: Chat
  /** The run that is being answered. */
  readonly running: string | undefined
  readonly onOpen: () => void
}

/** The latest reply in one line, whose height never changes, and the way to the conversation. */
export function AskLine({ chat, running, onOpen }: AskLineProps) {
  const online = useOnline()
  return (
    <button type="button" className={styles.ask} aria-haspopup="dialog" onClick={onOpen}>
      <ActorMark actor="model" />
      <span className={styles.one} dir="auto">
        {online ? latestOf(chat, running) : words.offline}
      </span>
      <span className={styles.open}>
        {words.open} <Icon shape={ChevronUp} />
      </span>
    </button>
  )
}

function latestOf({ items, pending, missing }: Chat, running: string | undefined): string {
  if (pending.some(({ status }) => status === 'failed')) return words.notSent
  if (missing) return words.noReply
  if (running !== undefined || pending.length > 0) return words.replying
  const reply = lastReply(items)?.message.text
  return reply === undefined ? words.idle : withoutLinks(reply)
}

type Said = Extract<Chat['items'][number], { readonly kind: 'message' }>

/** The latest whole message of the assistant's. */
export function lastReply(items: Chat['items']): Said | undefined {
  return items.findLast(
    (item): item is Said => item.kind === 'message' && item.message.role === 'assistant',
  )
}
