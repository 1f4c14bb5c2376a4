import { useEffect, useRef } from 'react'
import { Banner } from './banner.tsx'
import type { TurnPlace } from './taken-turn.ts'
import type { FailedTurn } from './turn-sender.ts'
import { TryAgainBanner } from './try-again-banner.tsx'
import { TURN_WORDS } from './turn-words.ts'
import type { Turns } from './use-turns.ts'
import { WORDS } from './words.ts'
import { inBackground } from './in-background.ts'

export interface TurnProblemProps {
  readonly turns: Turns
  /** The sends of this place, not those elsewhere on the page. */
  readonly place: TurnPlace
}

/** Says, where a person did something, what became of it when it was not answered or not accepted. */
export function TurnProblem({ turns, place }: TurnProblemProps) {
  const { failed, refused } = turns
  const here = failed.filter((each) => each.place === place && !isInChat(each))
  return (
    <>
      {here.map((each) => (
        <FailedPress key={each.key} failed={each} turns={turns} />
      ))}
      {refused?.place === place && <Refusal>{WORDS.turn.refused}</Refusal>}
    </>
  )
}

/** Whether a turn's failure is shown among the messages, beside those that were not sent. */
export function isToldInChat(failed: FailedTurn): boolean {
  return failed.place === 'chat' && !isInChat(failed)
}

/** A message that was not sent is in the conversation, with its own retry. */
function isInChat({ turn }: FailedTurn): boolean {
  return turn.userMessage !== undefined
}

interface FailedPressProps {
  readonly failed: FailedTurn
  readonly turns: Turns
}

function FailedPress({ failed, turns }: FailedPressProps) {
  const { key, status } = failed
  return (
    <InView>
      <TryAgainBanner turns={turns} onTryAgain={() => inBackground(turns.retry(key))}>
        {status === 'trying_again' ? TURN_WORDS.tryingAgain : WORDS.turn.failed}
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
