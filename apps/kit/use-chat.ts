import { isSpoken } from 'throughline/activity'
import type { SpokenMessage } from 'throughline/activity'
import { chatItems } from './chat-items.ts'
import type { ChatItem } from './chat-items.ts'
import type { ThreadView } from './thread-view.ts'
import type { Turn } from './turn-answer.ts'
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

export interface MissingReply {
  /** `begun`: some of it was said. */
  readonly status: 'begun' | 'silent'
  readonly askAgain: () => void
}

export interface Chat {
  readonly messages: readonly SpokenMessage[]
  /** Those that are whole and say something, with what was stopped among them. */
  readonly items: readonly ChatItem[]
  readonly pending: readonly PendingMessage[]
  /** The reply that is missing, when the last turn failed and none runs. */
  readonly missing: MissingReply | undefined
  readonly following: FollowEnd
  readonly say: (text: string) => void
}

/** The conversation as a page shows it: what is recorded, then what has been sent since. */
export function useChat(view: ThreadView, turns: Turns): Chat {
  const messages = view.conversation.messages.filter(isSpoken)
  const whole = messages.filter(({ status, text }) => status === 'complete' && text !== '')
  const items = chatItems(whole, view.cuts)
  const pending = pendingIn(turns)
  const failed = view.running === undefined ? view.unanswered : undefined
  const following = useFollowEnd(`${items.length}|${failed}|${versionOf(messages, pending)}`)
  const ask = (turn: Turn): void => {
    following.follow()
    void turns.take(turn, 'chat')
  }
  const say = (text: string): void => ask({ userMessage: text })
  const missing = failed === undefined ? undefined : missingReply(messages, failed, ask)
  return { messages, items, pending, missing, following, say }
}

/** What was begun cannot be gone on with, so what the person wrote is said again; else it is still open. */
function missingReply(
  messages: readonly SpokenMessage[],
  failed: string,
  ask: (turn: Turn) => void,
): MissingReply {
  const ofRun = messages.filter(({ id, run = id, text }) => run === failed && text !== '')
  const status = ofRun.some(({ role }) => role === 'assistant') ? 'begun' : 'silent'
  const asked = ofRun.find(({ role }) => role === 'user')?.text ?? askedBefore(messages, failed)
  const again = status === 'begun' && asked !== undefined ? { userMessage: asked } : {}
  return { status, askAgain: () => ask(again) }
}

/** A restated reply belongs to no run: the message right before it is what the person asked. */
function askedBefore(messages: readonly SpokenMessage[], reply: string): string | undefined {
  const before = messages[messages.findIndex(({ id }) => id === reply) - 1]
  return before?.role === 'user' ? before.text : undefined
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
