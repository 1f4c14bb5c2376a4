import type { Readiness, Stop, useChat } from '../../kit/index.ts'
import { Button, Composer } from '../../kit/index.ts'
import styles from './customer.module.css'
import { WORDS } from './words.ts'

export interface TalkBarProps {
  readonly chat: ReturnType<typeof useChat>
  readonly stop: Stop
  readonly readiness: Readiness
  readonly talk: 'open' | 'closed'
}

/** Stays at the bottom of the window: where one writes, and the way to what came meanwhile. */
export function TalkBar({ chat, stop, readiness, talk }: TalkBarProps) {
  const { unread, showEnd } = chat.following
  if (talk === 'closed' && unread === 'none') return null
  return (
    <div className={styles.talk}>
      {unread === 'some' && (
        <Button look="secondary" onClick={showEnd}>
          {WORDS.newMessages}
        </Button>
      )}
      {talk === 'open' && <Composer readiness={readiness} stop={stop} onSend={chat.say} />}
    </div>
  )
}
