import { useEffect } from 'react'
import type { Chat, Readiness, Stop, Turns } from '../../kit/index.ts'
import { Button, ChatLog, Composer, Sheet } from '../../kit/index.ts'
import styles from './ask-sheet.module.css'
import { SHELL_WORDS } from './shell-words.ts'
import type { Pages } from './use-page-history.ts'

const words = SHELL_WORDS.ask

export interface AskSheetProps {
  readonly pages: Pages
  readonly chat: Chat
  readonly turns: Turns
  readonly stop: Stop
  readonly readiness: Readiness
  /** Nothing is asked any more: a person answers the rest. */
  readonly isEnded: boolean
}

/** The conversation, and where the customer writes. */
export function AskSheet({ pages, chat, turns, stop, readiness, isEnded }: AskSheetProps) {
  const { unread, showEnd, follow, grow } = chat.following
  const isOpen = pages.sheet === 'ask'
  useEffect(() => {
    if (!isOpen) return
    follow()
    grow()
  }, [isOpen, follow, grow])
  return (
    <Sheet
      sheet={pages.sheetNamed('ask')}
      title={words.title}
      note={words.who}
      height="tall"
      foot={
        <>
          {unread === 'some' && isOpen && (
            <Button look="equal" onClick={showEnd}>
              {words.newMessages}
            </Button>
          )}
          {isEnded ? (
            <>
              <p className={styles.fine}>{words.ended}</p>
              <Button look="quiet" onClick={() => pages.openSheet('person')}>
                {SHELL_WORDS.menu.person}
              </Button>
            </>
          ) : (
            <>
              <Composer readiness={readiness} stop={stop} onSend={chat.say} queue={chat.queue} />
              <p className={styles.fine}>
                {words.fine}{' '}
                <button
                  type="button"
                  className={styles.person}
                  onClick={() => pages.openSheet('person')}
                >
                  {SHELL_WORDS.menu.person}
                </button>
              </p>
            </>
          )}
        </>
      }
    >
      <ChatLog chat={chat} turns={turns} />
    </Sheet>
  )
}
