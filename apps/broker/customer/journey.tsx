import { useState } from 'react'
import type { ThreadSnapshot } from 'throughline/react'
import type { PageEntry, Readiness, ThreadView } from '../../kit/index.ts'
import {
  Button,
  ChatLog,
  Composer,
  SummaryList,
  TurnProblem,
  useChat,
  useTurns,
} from '../../kit/index.ts'
import type { CardProps } from './actions.ts'
import type { Changeable } from './answers.ts'
import { answersSoFar } from './answers.ts'
import { CardPlace } from './card-place.tsx'
import type { CaseView } from './case-view.ts'
import { mayChangeAnswers } from './case-view.ts'
import { currentCard, isEnded } from './current-card.ts'
import styles from './customer.module.css'
import { JourneyFooter } from './journey-footer.tsx'
import { StatusLine } from './status-line.tsx'
import { useGreeting } from './use-greeting.ts'
import { WORDS } from './words.ts'

export interface JourneyProps {
  readonly entry: PageEntry
  readonly live: ThreadSnapshot<ThreadView>
  readonly view: CaseView
}

/** The transcript, the answers so far, and the one open card. */
export function Journey({ entry, live, view }: JourneyProps) {
  const turns = useTurns(entry)
  const chat = useChat(live.view.conversation, turns)
  const { card, changing, change } = useOpenCard(view)
  useGreeting(greetingDue(chat.messages.length, view), turns)
  const readiness: Readiness = turns.sending.status === 'sending' ? 'waiting' : 'ready'
  const answers = answersSoFar(view, change)
  const record: CardProps['record'] = (directEvents, onAnswered) => {
    void turns.take({ directEvents }).then((status) => {
      if (status !== 'sent') return
      change(undefined)
      onAnswered?.()
    })
  }
  return (
    <>
      <main className={styles.main}>
        <div className={styles.content}>
          <ChatLog chat={chat} turns={turns} />
          {answers.length > 0 && (
            <section aria-label={WORDS.answers}>
              <SummaryList rows={answers} />
            </section>
          )}
          <CardPlace
            card={card}
            entry={entry}
            view={view}
            readiness={readiness}
            record={record}
            onAmend={() => change('details')}
            onGoOn={() => void turns.take({})}
          />
          {changing && (
            <Button look="secondary" onClick={() => change(undefined)}>
              {WORDS.cancel}
            </Button>
          )}
          {chat.pending?.status !== 'failed' && <TurnProblem turns={turns} />}
          <StatusLine turns={turns} domainRecords={live.view.domainRecords} />
          {isNothingSubmitted(view) && <p className={styles.hint}>{WORDS.nothingSubmitted}</p>}
        </div>
        {!isEnded(card) && (
          <div className={styles.composer}>
            <Composer readiness={readiness} onSend={chat.say} />
          </div>
        )}
      </main>
      <JourneyFooter view={view} readiness={readiness} record={record} />
    </>
  )
}

/** The card of the next gate, or one that the customer has opened again. */
function useOpenCard(view: CaseView) {
  const [opened, setOpened] = useState<Changeable>()
  const changing = mayChangeAnswers(view) ? opened : undefined
  return { card: changing ?? currentCard(view), changing, change: setOpened }
}

function greetingDue(messages: number, { status }: CaseView): 'awaited' | 'empty' | 'begun' {
  if (status === 'intake') return 'awaited'
  return messages === 0 ? 'empty' : 'begun'
}

function isNothingSubmitted(view: CaseView): boolean {
  return view.waterfall === undefined && view.status !== 'submitting' && !isEnded(currentCard(view))
}
