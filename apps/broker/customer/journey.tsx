import type { ThreadSnapshot } from 'throughline/react'
import type { PageEntry, ThreadView } from '../../kit/index.ts'
import { ChatLog, useChat, useStop, useTurns } from '../../kit/index.ts'
import type { CardProps } from './actions.ts'
import { AnswersSoFar } from './answers-so-far.tsx'
import { CardPlace } from './card-place.tsx'
import type { CaseView } from './case-view.ts'
import { isNothingSubmitted } from './case-view.ts'
import { isEnded } from './current-card.ts'
import styles from './customer.module.css'
import { LeftCard } from './left-card.tsx'
import { JourneyFooter } from './journey-footer.tsx'
import { RecordedLine } from './recorded-line.tsx'
import { TalkBar } from './talk-bar.tsx'
import { useGreeting } from './use-greeting.ts'
import { useLeaving } from './use-leaving.ts'
import { useOpenCard } from './use-open-card.ts'
import { WORDS } from './words.ts'

export interface JourneyProps {
  readonly entry: PageEntry
  readonly live: ThreadSnapshot<ThreadView>
  readonly view: CaseView
}

/** The transcript, the one open card, and the answers so far. */
export function Journey({ entry, live, view }: JourneyProps) {
  const turns = useTurns(entry, live)
  const chat = useChat(live.view, turns)
  const stop = useStop(entry, live.view.running)
  const open = useOpenCard(view)
  const leaving = useLeaving()
  useGreeting(greetingDue(chat.messages.length, view), turns)
  const readiness = turns.status === 'sending' ? 'waiting' : 'ready'
  const recordAt = (place: 'card' | 'footer'): CardProps['record'] => {
    return (directEvents, onRecorded) => {
      open.act()
      const done = (): void => {
        open.close()
        onRecorded?.()
      }
      void turns.take({ directEvents }, place, done)
    }
  }
  const isAway = leaving.status === 'away' && !isEnded(open.card)
  return (
    <>
      {isAway ? (
        <LeftCard view={view} onCarryOn={leaving.carryOn} />
      ) : (
        <main className={styles.main}>
          <div className={styles.content}>
            <ChatLog chat={chat} turns={turns} />
            <RecordedLine domainRecords={live.view.domainRecords} />
            <CardPlace
              open={open}
              turns={turns}
              following={chat.following}
              entry={entry}
              view={view}
              readiness={readiness}
              record={recordAt('card')}
              onWithdraw={() => leaving.ask('withdraw')}
            />
            {isNothingSubmitted(view) && !isEnded(open.card) && (
              <p className={styles.hint}>{WORDS.nothingSubmitted}</p>
            )}
            <AnswersSoFar view={view} onChange={open.change} />
          </div>
          <TalkBar
            chat={chat}
            stop={stop}
            readiness={readiness}
            talk={isEnded(open.card) ? 'closed' : 'open'}
          />
        </main>
      )}
      <JourneyFooter
        view={view}
        turns={turns}
        leaving={leaving}
        readiness={readiness}
        record={recordAt('footer')}
      />
    </>
  )
}

function greetingDue(messages: number, { status }: CaseView): 'awaited' | 'empty' | 'begun' {
  if (status === 'intake') return 'awaited'
  return messages === 0 ? 'empty' : 'begun'
}
