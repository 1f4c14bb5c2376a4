import { isSpoken } from 'throughline/agui'
import type { SpokenMessage } from 'throughline/agui'
import { chatItems } from './stopped.ts'
import type { ChatItem } from './stopped.ts'
import type { ThreadView } from './thread-view.ts'
import type { FollowEnd } from './use-follow-end.ts'
import { useFollowEnd } from './use-follow-end.ts'
import type { Turns } from './use-turns.ts'

/** A message of the person's that the stream has not shown yet. */
export type PendingMessage =
  | { readonly status: 'sending'; readonly key: string; readonly text: string }
  | {
      readonly status: 'failed'
      readonly key: string
      readonly text: string
      readonly retry: () => void
      readonly remove: () => void
    }

export interface Chat {
  readonly messages: readonly SpokenMessage[]
  /** Those that are whole and say something, with what was stopped among them. */
  readonly items: readonly ChatItem[]
  readonly pending: readonly PendingMessage[]
  readonly following: FollowEnd
  readonly say: (text: string) => void
}

/** The conversation as a page shows it: what is recorded, then what has been sent since. */
export function useChat({ conversation, stops }: ThreadView, turns: Turns): Chat {
  const messages = conversation.messages.filter(isSpoken)
  const whole = messages.filter(({ status, text }) => status === 'complete' && text !== '')
  const items = chatItems(whole, stops)
  const pending = pendingIn(turns)
  const following = useFollowEnd(`${items.length}|${versionOf(messages, pending)}`)
  const say = (text: string): void => {
    following.follow()
    void turns.take({ userMessage: text }, 'chat')
  }
  return { messages, items, pending, following, say }
}

function pendingIn({ failed, underWay, retry, forget }: Turns): readonly PendingMessage[] {
  const unsent = failed.flatMap(({ key, turn, status, missing }): PendingMessage[] => {
    const text = turn.userMessage
    if (text === undefined || missing !== 'confirmation') return []
    if (status === 'trying_again') return [{ status: 'sending', key, text }]
    const [again, remove] = [() => void retry(key), () => forget(key)]
    return [{ status, key, text, retry: again, remove }]
  })
  const text = underWay?.turn.userMessage
  return text === undefined ? unsent : [...unsent, { status: 'sending', key: 'under way', text }]
}

function versionOf(messages: readonly SpokenMessage[], pending: readonly PendingMessage[]): string {
  const states = pending.map(({ status, text }) => `${status} ${text}`)
  return [messages.length, messages.at(-1)?.text.length, ...states].join('|')
}
