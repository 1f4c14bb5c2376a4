import { useState } from 'react'
import type { Json } from 'throughline/log'
import { useSend } from 'throughline/react'
import type { SendResult, SendState } from 'throughline/react'
import type { PageEntry } from './enter-page.ts'
import { readFragment, writeFragment } from './fragment.ts'
import type { Turn, TurnAnswer } from './turn-answer.ts'
import { readTurnAnswer } from './turn-answer.ts'

/** Turns that the server may ask for on its own after one of a person's. */
const CONTINUED_TURNS_MAX = 3

export interface Turns {
  readonly sending: SendState
  /** The server's latest answer. */
  readonly answer: TurnAnswer | undefined
  readonly take: (turn: Turn) => Promise<SendResult['status']>
  /** Repeats what failed, under the same key unless the server had refused it. */
  readonly retry: () => Promise<SendResult['status']>
}

/** Sends a person's turns, one at a time, and carries the recovery seed from one to the next. */
export function useTurns({ thread, role }: PageEntry): Turns {
  const { send, retry, ...sending } = useSend(`/api/chat/${role}`, { role })
  const [answer, setAnswer] = useState<TurnAnswer>()
  const sendTurn = (turn: Turn): Promise<SendResult> => send(bodyOf(thread, turn))
  const follow = async (first: Promise<SendResult>): Promise<SendResult['status']> => {
    const { status } = await first
    let result = await first
    for (let continued = 0; continued < CONTINUED_TURNS_MAX; continued++) {
      if (result.status !== 'sent') break
      const received = readTurnAnswer(result.answer)
      if (received.seed !== undefined) writeFragment('seed', received.seed)
      setAnswer(received)
      if (received.next === 'rest') break
      result = await sendTurn({})
    }
    return status
  }
  return {
    sending,
    answer,
    take: (turn) => follow(sendTurn(turn)),
    retry: () => {
      const isModelFailure =
        sending.status === 'failed' && sending.error.problem?.code === 'model_failed'
      // What the person did is recorded by then; only the reply is missing.
      return follow(isModelFailure ? sendTurn({}) : retry())
    },
  }
}

function bodyOf(sessionId: string, turn: Turn): Json {
  const seed = readFragment('seed')
  const { userMessage, directEvents, isFirstTurn } = turn
  return {
    sessionId,
    ...(seed === undefined ? {} : { seed }),
    ...(userMessage === undefined ? {} : { userMessage }),
    ...(directEvents === undefined
      ? {}
      : { directEvents: directEvents.map((each) => ({ ...each })) }),
    ...(isFirstTurn === undefined ? {} : { isFirstTurn }),
  }
}
