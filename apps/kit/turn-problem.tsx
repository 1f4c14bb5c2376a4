import { useEffect, useRef } from 'react'
import { Banner } from './banner.tsx'
import type { TurnPlace } from './taken-turn.ts'
import type { FailedTurn } from './turn-sender.ts'
import { TryAgainBanner } from './try-again-banner.tsx'
import { TURN_WORDS } from './turn-words.ts'
import type { Turns } from './use-turns.ts'
import { WORDS } from './words.ts'

export interface TurnProblemProps {
  readonly turns: Turns
  /** What was done here, and not elsewhere on the page. */
  readonly place: TurnPlace
}

/** Says, where a person did something, what became of it when it was not answered or not accepted. */
export function TurnProblem({ turns, place }: TurnProblemProps) {
  const { failed, answered, status } = turns
  const here = failed.filter((each) => each.place === place && !isInChat(each))
  const isRefused =
    status === 'ready' && answered?.place === place && answered.answer.refused.length > 0
  return (
    <>
      {here.map((each) => (
        <FailedPress key={each.key} failed={each} turns={turns} />
      ))}
      {isRefused && <Refusal>{WORDS.turn.refused}</Refusal>}
    </>
  )
}

/** Whether a turn's failure is told among the messages, beside those that were not sent. */
export function isToldInChat(failed: FailedTurn): boolean {
  return failed.place === 'chat' && !isInChat(failed)
}

/** A message that was not sent stands in the conversation, with its own retry. */
function isInChat({ turn, missing }: FailedTurn): boolean {
  return turn.userMessage !== undefined && missing === 'confirmation'
}

interface FailedPressProps {
  readonly failed: FailedTurn
  readonly turns: Turns
}

function FailedPress({ failed, turns }: FailedPressProps) {
  const { key, status, missing } = failed
  // The same words asked again are declined again.
  if (missing === 'declined_reply') return <Refusal>{WORDS.turn.modelDeclined}</Refusal>
  if (missing === 'limited_reply') return <Refusal>{WORDS.turn.modelLimited}</Refusal>
  const words = missing === 'reply' ? WORDS.turn.modelFailed : WORDS.turn.failed
  return (
    <InView>
      <TryAgainBanner turns={turns} onTryAgain={() => void turns.retry(key)}>
        {status === 'trying_again' ? TURN_WORDS.tryingAgain : words}
      </TryAgainBanner>
    </InView>
  )
}

function Refusal({ children }: { readonly children: string }) {
  return (
    <InView>
      <Banner tone="problem">{children}</Banner>
    </InView>
  )
}

/** Appears where the person is looking. */
function InView({ children }: { readonly children: React.ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return <div ref={box}>{children}</div>
}
