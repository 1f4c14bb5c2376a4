import { threadUrl } from './api.ts'
import { ClientError, textOf } from 'throughline/client'
import type { Fetch } from 'throughline/client'
import { Clicks, ThreadRequests, newId } from 'throughline/react'
import type { PendingRequest, ThreadRequest, ThreadSnapshot } from 'throughline/react'
import type { PageEntry } from './enter-page.ts'
import { shownTurn } from './taken-turn.ts'
import type { ShownTurn, TakenTurn, TurnPlace } from './taken-turn.ts'
import { EMPTY_VIEW } from './thread-view.ts'
import type { ThreadView } from './thread-view.ts'
import type { Turn } from './turn.ts'
import type { UnsentMessage } from './unsent-messages.ts'
import { inBackground } from './in-background.ts'

/** A turn of which the page does not know that the server has it. */
export interface FailedTurn {
  readonly key: string
  readonly turn: Turn
  readonly place: TurnPlace
  readonly status: 'failed' | 'trying_again'
}

/** A message that waits until the turn before it is over, or until the browser has a network. */
export interface QueuedMessage {
  readonly key: string
  readonly text: string
  readonly until: 'reply' | 'online'
}

/** The most messages that wait. */
export const QUEUED_MESSAGES_MAX = 5

export interface RefusedTurn {
  readonly place: TurnPlace
  readonly events: readonly { readonly type: string; readonly reason: string }[]
}

export interface TurnsState {
  /** `sending`: the stream has not shown the latest turn yet, or the assistant is at work. */
  readonly status: 'ready' | 'sending'
  /** The turn that is sent for the first time, until the stream shows it. */
  readonly underWay: Pick<TakenTurn, 'turn' | 'place'> | undefined
  /** Messages that were written while another turn is under way; each is sent when it is its turn. */
  readonly queued: readonly QueuedMessage[]
  /** In the order in which they were taken. */
  readonly failed: readonly FailedTurn[]
  /** The latest turn, if the server refused events of it. */
  readonly refused: RefusedTurn | undefined
}

/** An act of a person, its place on the page, and what follows once it is recorded. */
export type TakeTurn = (turn: Turn, place: TurnPlace, onRecorded?: () => void) => Promise<void>

export interface TurnSenderOptions extends PageEntry {
  readonly fetch?: Fetch
  readonly now?: () => number
  readonly isOnline?: () => boolean
  /** The messages that the server may not have, for the next load of the page. */
  readonly unsent: {
    readonly kept: readonly UnsentMessage[]
    readonly keep: (messages: readonly UnsentMessage[]) => void
  }
}

type Live = Pick<ThreadSnapshot<ThreadView>, 'view' | 'seq' | 'epoch'>

/**
 * Sends a person's turns, one at a time. The server answers a turn once it has recorded it; what becomes
 * of it comes over the stream alone. A turn that fails keeps its retry until the stream shows it, or
 * until the person does something else at the same card.
 */
export class TurnSender {
  readonly #options: TurnSenderOptions
  readonly #requests: ThreadRequests
  readonly #taken = new WeakMap<ThreadRequest, TakenTurn>()
  readonly #listeners = new Set<() => void>()
  #live: Live = { view: EMPTY_VIEW, seq: -1, epoch: undefined }
  #queued: readonly QueuedMessage[] = []
  readonly #clicks: Clicks
  #refused: RefusedTurn | undefined
  /** The run of the person's latest turn. */
  #run = ''
  #state: TurnsState

  constructor(options: TurnSenderOptions) {
    this.#options = options
    const { thread, role, fetch, unsent, now } = options
    this.#clicks = new Clicks(now)
    this.#requests = new ThreadRequests({
      url: threadUrl(thread),
      headers: () => ({ 'throughline-role': role }),
      doubleClickMs: 0,
      pending: unsent.kept.filter(({ waits }) => !waits).map((each) => this.#restored(each)),
      ...(fetch && { fetch }),
    })
    const waiting = unsent.kept.filter(({ waits }) => waits).slice(0, QUEUED_MESSAGES_MAX)
    this.#queued = waiting.map(({ key, text }) => ({ key, text, until: 'online' }))
    this.#state = this.#read()
    this.#requests.subscribe(() => this.#publish())
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  readonly getSnapshot = (): TurnsState => this.#state

  readonly take: TakeTurn = async (turn, place, onRecorded = () => undefined) => {
    const text = JSON.stringify(turn)
    if (this.#clicks.isRepeat(text)) return
    if (this.#queueMessage(turn, place) || this.#state.status === 'sending') return
    this.#refused = undefined
    const failed = this.#requests.pending.map(({ request }) => request)
    const before = failed.find((request) => JSON.stringify(this.#takenAs(request).turn) === text)
    // At a card the latest press is what the person wants; what they wrote, they all want sent.
    this.#giveUp(
      (each) => each !== before && place !== 'chat' && this.#takenAs(each).place === place,
    )
    const request = before ?? requestFor(this.#options.role, turn)
    this.#taken.set(request, { turn, place, after: this.#live.seq, onRecorded })
    await this.#requests.send(request)
  }

  /** Repeats a turn that failed, under the same key unless the server had refused it. */
  readonly retry = async (key: string): Promise<void> => {
    const failed = this.#requests.pending.find((each) => each.key === key)
    if (failed && this.#state.status === 'ready') await this.#requests.retry(key)
  }

  /** Sends the messages that were written offline. */
  readonly resume = (): void => this.#sendQueued()

  readonly forget = (key: string): void => this.#requests.forget(key)

  /** Learns what the stream has shown. */
  readonly notice = (live: Live): void => {
    const { view, epoch } = this.#live
    const epochNow = live.epoch ?? epoch
    this.#live = { ...live, epoch: epochNow }
    // Another log does not hold what the one before had recorded.
    if (epoch !== epochNow && epoch !== undefined) this.#requests.settle(isAccepted)
    if (live.view === view && epoch === epochNow) return
    this.#publish()
  }

  #isOnline(): boolean {
    return this.#options.isOnline?.() ?? navigator.onLine
  }

  /** Queues a message that cannot be sent now. Returns whether the message has to wait. */
  #queueMessage({ userMessage: text }: Turn, place: TurnPlace): boolean {
    const until = this.#isOnline() ? 'reply' : 'online'
    const isFree = until === 'reply' && this.#state.status === 'ready'
    if (place !== 'chat' || text === undefined || isFree) return false
    if (this.#queued.length >= QUEUED_MESSAGES_MAX) return true
    this.#queued = [...this.#queued, { key: newId(), text, until }]
    this.#publish()
    return true
  }

  #sendQueued(): void {
    const [next, ...rest] = this.#queued
    if (!next || this.#state.status === 'sending' || !this.#isOnline()) return
    this.#queued = rest
    this.#clicks.restart()
    inBackground(this.take({ userMessage: next.text }, 'chat'))
  }

  /** Asks the assistant to report the outcome of an effect that the person's turn made due. */
  #askForReport(): void {
    const { unreported, running } = this.#live.view
    if (unreported !== this.#run || running !== undefined || this.#state.status === 'sending')
      return
    this.#run = ''
    const request = requestFor(this.#options.role, {})
    const after = this.#live.seq
    this.#taken.set(request, { turn: {}, place: 'chat', after, onRecorded: () => undefined })
    inBackground(this.#requests.send(request))
  }

  #giveUp(is: (request: ThreadRequest) => boolean): void {
    for (const { key, request } of this.#requests.pending) if (is(request)) this.forget(key)
  }

  #takenAs(request: ThreadRequest): TakenTurn {
    const taken = this.#taken.get(request)
    if (!taken) throw new Error('Cannot read the sent turn: it was not accepted')
    return taken
  }

  #restored({ text, key, after }: UnsentMessage): PendingRequest {
    const turn = { userMessage: text }
    const request = requestFor(this.#options.role, turn)
    this.#taken.set(request, { turn, place: 'chat', after, onRecorded: () => undefined })
    const error = new ClientError('network', 'Cannot tell: the page was left')
    return { key, request, state: { status: 'failed', error } }
  }

  #publish(): void {
    const { view } = this.#live
    const shown = new Map<PendingRequest, ShownTurn>()
    for (const each of this.#requests.pending) {
      const turn = shownTurn(this.#takenAs(each.request), each, view)
      if (turn) shown.set(each, turn)
    }
    this.#requests.settle((each) => shown.has(each))
    for (const [{ request }, turn] of shown) this.#becomeShown(this.#takenAs(request), turn)
    this.#state = this.#read()
    this.#options.unsent.keep(this.#messages())
    for (const notify of this.#listeners) notify()
    this.#askForReport()
    this.#sendQueued()
  }

  #becomeShown({ place, onRecorded }: TakenTurn, { run, refused }: ShownTurn): void {
    this.#run = run
    if (refused.length === 0) return onRecorded()
    const events = refused.map(({ data }) => {
      return { type: textOf(data, 'type'), reason: textOf(data, 'reason') }
    })
    this.#refused = { place, events }
  }

  #read(): TurnsState {
    const { pending } = this.#requests
    const isNew = ({ state, failure }: PendingRequest): boolean =>
      state.status !== 'failed' && !failure
    const first = pending.find(isNew)
    const failed = pending.flatMap((each): FailedTurn[] => {
      if (isNew(each)) return []
      const { turn, place } = this.#takenAs(each.request)
      const status = each.state.status === 'failed' ? 'failed' : 'trying_again'
      return [{ key: each.key, turn, place, status }]
    })
    const isSending = pending.some(({ state }) => state.status !== 'failed')
    return {
      status: isSending || this.#live.view.running !== undefined ? 'sending' : 'ready',
      underWay: first && this.#takenAs(first.request),
      queued: this.#queued,
      failed,
      refused: this.#refused,
    }
  }

  #messages(): readonly UnsentMessage[] {
    const sent = this.#requests.pending.flatMap(({ key, request }) => {
      const { turn, after } = this.#takenAs(request)
      return turn.userMessage === undefined ? [] : [{ key, text: turn.userMessage, after }]
    })
    const after = this.#live.seq
    const queued = this.#queued.map(({ key, text, until }) => {
      return { key, text, after, ...(until === 'online' && { waits: true as const }) }
    })
    return [...sent, ...queued]
  }
}

function isAccepted({ state }: PendingRequest): boolean {
  return state.status === 'accepted'
}

/** The request of a turn, each event under an id of its own: sent again, it is the same event. */
function requestFor(
  agent: string,
  { userMessage, directEvents, isFirstTurn }: Turn,
): ThreadRequest {
  return {
    kind: 'ask',
    agent,
    ...(userMessage === undefined ? {} : { input: userMessage }),
    ...(userMessage !== undefined && directEvents === undefined
      ? {}
      : {
          events: (directEvents ?? []).map(({ type, data }) => ({ id: newId(), type, data })),
        }),
    ...(isFirstTurn && { first: true }),
  }
}
