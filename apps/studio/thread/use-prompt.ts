import { useState } from 'react'
import type { RunTree } from 'throughline/activity'
import { textOf } from 'throughline/json'
import type { Json } from 'throughline/json'
import { useSend } from 'throughline/react'
import type { SendResult } from 'throughline/react'
import type { PageEntry } from '../../kit/index.ts'

/** A prompt that the stream has not shown yet. */
export interface PendingPrompt {
  readonly key: string
  readonly agent: string
  readonly text: string
  readonly state:
    | { readonly status: 'sending' }
    | { readonly status: 'failed'; readonly why: string; readonly retry: () => void }
}

export interface Prompts {
  /** What was not sent, and what is being sent. */
  readonly pending: readonly PendingPrompt[]
  readonly ask: (agent: string, text: string) => void
}

/** Asks agents, one prompt at a time; `onTaken` is told when the server has one on record. */
export function usePrompts(
  { thread, role }: PageEntry,
  { turns }: RunTree,
  onTaken: () => void,
): Prompts {
  const url = `/api/threads/${encodeURIComponent(thread)}/runs`
  const { send, retry, unsent, ...sending } = useSend(url, { role })
  /** How many turns there were when the latest prompt was sent. */
  const [after, setAfter] = useState(0)
  const follow = async (result: Promise<SendResult>): Promise<void> => {
    setAfter(turns.length)
    const { status } = await result
    if (status === 'sent') onTaken()
  }
  const underWay = sending.status === 'sending' ? sending : undefined
  const failed = unsent
    .filter(({ key, body }) => key !== underWay?.key && body !== underWay?.body)
    .map(({ key, body, error }) => ({
      ...promptIn(body, key),
      state: {
        status: 'failed' as const,
        why: error.problem?.detail ?? '',
        retry: () => void follow(retry(key)),
      },
    }))
  const arrived = turns
    .slice(after)
    .some(({ runs }) => runs[0]?.prompt === textOf(underWay?.body ?? null, 'input'))
  const latest =
    underWay && !arrived
      ? [{ ...promptIn(underWay.body, underWay.key), state: { status: 'sending' as const } }]
      : []
  return {
    pending: [...failed, ...latest],
    ask: (agent, text) => void follow(send({ agent, input: text })),
  }
}

function promptIn(body: Json, key: string): Omit<PendingPrompt, 'state'> {
  return { key, agent: textOf(body, 'agent'), text: textOf(body, 'input') }
}
