import type { PendingRequest } from 'throughline/react'

type Asked = Extract<PendingRequest['request'], { readonly kind: 'ask' }>

/** A prompt that the stream has not shown yet. */
export interface PendingPrompt extends Pick<PendingRequest, 'key' | 'state'> {
  readonly agent: string
  readonly text: string
}

export function pendingPrompts(pending: readonly PendingRequest[]): readonly PendingPrompt[] {
  return pending.flatMap(({ key, request, state }) =>
    request.kind === 'ask'
      ? [{ key, state, agent: request.agent, text: textOf(request.input) }]
      : [],
  )
}

function textOf(input: Asked['input'] = ''): string {
  if (typeof input === 'string') return input
  return input.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}
