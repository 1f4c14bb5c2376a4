import { isSpoken } from 'throughline/client'
import type { SpokenMessage } from 'throughline/client'
import { chatItems } from './chat-items.ts'
import type { ChatItem } from './chat-items.ts'
import type { ThreadView, UnansweredRun } from './thread-view.ts'
import type { Turn } from './turn.ts'
import type { FollowEnd } from './use-follow-end.ts'
import { useFollowEnd } from './use-follow-end.ts'
import { QUEUED_MESSAGES_MAX } from './turn-sender.ts'
import type { Turns } from './use-turns.ts'
import { inBackground } from './in-background.ts'

/** A message of the person's that the stream has not shown yet. */
export type PendingMessage =
  | { readonly status: 'sending' | 'offline'; readonly key: string; readonly text: string }
  | {
      readonly status: 'failed'
      readonly key: string
      readonly text: string
      readonly retry: () => void
      readonly remove: () => void
    }

export interface MissingReply {
  /** `begun`: some of it was said; `declined`: the model would not answer; `limited`: the day's limit. */
  readonly status: 'begun' | 'silent' | 'declined' | 'limited'
  readonly askAgain: () => void
}

export interface Chat {
  readonly messages: readonly SpokenMessage[]
  /** Complete messages with text, and stopped ones. */
  readonly items: readonly ChatItem[]
  readonly pending: readonly PendingMessage[]
  /** The reply that is missing, when the last turn failed and none runs. */
  readonly missing: MissingReply | undefined
  readonly following: FollowEnd
  readonly say: (text: string) => void
  /** Whether another message may wait for the end of the reply. */
  readonly queue: 'offered' | 'full'
}

/** The conversation as a page shows it: the recorded messages, then those sent since. */
export function useChat(view: ThreadView, turns: Turns): Chat {
  const messages = view.conversation.messages.filter(isSpoken)
  const whole = messages.filter(({ status, text }) => status === 'complete' && text !== '')
  const items = chatItems(whole, view.cuts)
  const pending = pendingIn(turns)
  const failed = view.running === undefined ? view.unanswered : undefined
  const following = useFollowEnd(`${items.length}|${failed?.run}|${versionOf(messages, pending)}`)
  const ask = (turn: Turn): void => {
    following.follow()
    inBackground(turns.take(turn, 'chat'))
  }
  const say = (text: string): void => ask({ userMessage: text })
  const missing = failed === undefined ? undefined : missingReply(messages, failed, ask)
  const queue = turns.queued.length < QUEUED_MESSAGES_MAX ? 'offered' : 'full'
  return { messages, items, pending, missing, following, say, queue }
}

/** A turn that had begun cannot go on, so the person's text is sent again; else it is still open. */
function missingReply(
  messages: readonly SpokenMessage[],
  { run: failed, why }: UnansweredRun,
  ask: (turn: Turn) => void,
): MissingReply {
  const ofRun = messages.filter(({ id, run = id, text }) => run === failed && text !== '')
  const status = ofRun.some(({ role }) => role === 'assistant') ? 'begun' : 'silent'
  const asked = ofRun.find(({ role }) => role === 'user')?.text ?? askedBefore(messages, failed)
  const again = status === 'begun' && asked !== undefined ? { userMessage: asked } : {}
  return { status: why === 'failed' ? status : why, askAgain: () => ask(again) }
}

/** A restated reply belongs to no run: the message right before it is what the person asked. */
function askedBefore(messages: readonly SpokenMessage[], reply: string): string | undefined {
  const before = messages[messages.findIndex(({ id }) => id === reply) - 1]
  return before?.role === 'user' ? before.text : undefined
}

function pendingIn({ failed, underWay, queued, retry, forget }: Turns): readonly PendingMessage[] {
  const unsent = failed.flatMap(({ key, turn, status }): PendingMessage[] => {
    const text = turn.userMessage
    if (text === undefined) return []
    if (status === 'trying_again') return [{ status: 'sending', key, text }]
    const [again, remove] = [() => inBackground(retry(key)), () => forget(key)]
    return [{ status, key, text, retry: again, remove }]
  })
  const text = underWay?.turn.userMessage
  const sent = text === undefined ? [] : [{ key: 'under way', text }]
  const sending = sent.map((each) => ({ status: 'sending', ...each }) as const)
  const waiting = queued.map(({ key, text, until }): PendingMessage => {
    return { status: until === 'online' ? 'offline' : 'sending', key, text }
  })
  return [...unsent, ...sending, ...waiting]
}

function versionOf(messages: readonly SpokenMessage[], pending: readonly PendingMessage[]): string {
  const states = pending.map(({ status, text }) => `${status} ${text}`)
  return [messages.length, messages.at(-1)?.text.length, ...states].join('|')
}
