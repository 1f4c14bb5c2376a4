import { useState } from 'react'
import type { ThreadSnapshot } from 'throughline/react'
import type { PageEntry, ThreadView } from '../../kit/index.ts'
import { Button, ChatLog, Composer, useChat, useStop, useTurns } from '../../kit/index.ts'
import type { InstallerCase } from '../case/case-view.ts'
import { FactsPane } from './facts-pane.tsx'
import { Hello } from './hello.tsx'
import styles from './installer.module.css'
import { WORDS } from './words.ts'

export interface PanesProps {
  readonly entry: PageEntry
  readonly live: ThreadSnapshot<ThreadView>
  readonly view: InstallerCase
}

/** Side by side where there is room for both, one at a time where there is not. */
export function Panes({ entry, live, view }: PanesProps) {
  const [shown, setShown] = useState<'chat' | 'facts'>('chat')
  const turns = useTurns(entry, live)
  const chat = useChat(live.view, turns)
  const stop = useStop(entry, live.view.running)
  const isEmpty = chat.messages.length === 0 && chat.pending.length === 0
  return (
    <main className={styles.main}>
      <div className={styles.tabs} role="group" aria-label={WORDS.views}>
        {(['chat', 'facts'] as const).map((name) => (
          <button
            key={name}
            type="button"
            className={styles.tab}
            aria-pressed={shown === name}
            onClick={() => setShown(name)}
          >
            {WORDS[name]}
          </button>
        ))}
      </div>
      <div className={styles.panes}>
        <div className={styles.pane} data-shown={shown === 'chat'}>
          <div className={styles.scroll} tabIndex={0} role="region" aria-label={WORDS.chat}>
            {isEmpty && <Hello />}
            <ChatLog chat={chat} turns={turns} />
          </div>
          <div className={styles.composer}>
            {chat.following.unread === 'some' && (
              <Button look="quiet" onClick={chat.following.showEnd}>
                {WORDS.newMessages}
              </Button>
            )}
            <Composer
              voice="offered"
              stop={stop}
              readiness={turns.status === 'sending' ? 'waiting' : 'ready'}
              onSend={chat.say}
              queue={chat.queue}
            />
          </div>
        </div>
        <div className={styles.pane} data-shown={shown === 'facts'}>
          <FactsPane entry={entry} view={view} records={live.view.domainRecords} turns={turns} />
        </div>
      </div>
    </main>
  )
}
