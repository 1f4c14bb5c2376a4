import type { PendingRequest } from 'throughline/react'

/** A prompt that the stream has not shown yet. */
export interface PendingPrompt extends Pick<PendingRequest, 'key' | 'state'> {
  readonly agent: string
  readonly text: string
}

export function pendingPrompts(pending: readonly PendingRequest[]): readonly PendingPrompt[] {
  return pending.flatMap(({ key, request, state }) =>
    request.kind === 'ask' ? [{ key, state, agent: request.agent, text: request.input ?? '' }] : [],
  )
}
