import { ClientError } from 'throughline/client'
import type { Fetch } from 'throughline/client'
import type { Json } from 'throughline/json'
import { Sender } from 'throughline/react'
import type { SendResult, UnsentBody } from 'throughline/react'
import type { PageEntry } from './enter-page.ts'
import { isShown } from './taken-turn.ts'
import type { TakenTurn, TurnPlace } from './taken-turn.ts'
import type { ThreadView } from './thread-view.ts'
import type { Turn, TurnAnswer } from './turn-answer.ts'
import { readTurnAnswer } from './turn-answer.ts'
import type { UnsentMessage } from './unsent-messages.ts'

/** Turns that the server may ask for on its own after one of a person's. */
const CONTINUED_TURNS_MAX = 3

/** What was not confirmed. */
export interface FailedTurn {
  readonly key: string
  readonly turn: Turn
  readonly place: TurnPlace
  readonly status: 'failed' | 'trying_again'
  /** In all cases of a reply what the person did is recorded; only a `reply` is worth asking for again now. */
  readonly missing: 'confirmation' | 'reply' | 'declined_reply' | 'limited_reply'
}

export interface TurnsState {
  readonly status: 'ready' | 'sending'
  /** What is being sent for the first time, until the stream has shown it. */
  readonly underWay: Pick<TakenTurn, 'turn' | 'place'> | undefined
  /** In the order in which they were done. */
  readonly failed: readonly FailedTurn[]
  /** The server's latest answer, and where on the page it was asked for. */
  readonly answered: { readonly answer: TurnAnswer; readonly place: TurnPlace } | undefined
}

/** What a person does, where on the page, and what is to happen once it is recorded. */
export type TakeTurn = (turn: Turn, place: TurnPlace, onRecorded?: () => void) => Promise<void>

export interface TurnSenderOptions extends PageEntry {
  readonly fetch?: Fetch
  readonly now?: () => number
  /** The recovery seed, which goes with every turn and comes back renewed. */
  readonly seed: { readonly read: () => string | undefined; readonly write: (seed: string) => void }
  /** The messages that the server may not have, for the next load of the page. */
  readonly unsent: {
    readonly kept: readonly UnsentMessage[]
    readonly keep: (messages: readonly UnsentMessage[]) => void
  }
}

type Body = { [name: string]: Json }

/** Two clicks closer than this are one. */
const DOUBLE_CLICK_MS = 500

/**
 * Sends a person's turns, one at a time. What fails keeps its own retry until the stream shows it, or
 * until the person does something else at the same card.
 */
export class TurnSender {
  readonly #options: TurnSenderOptions
  readonly #sender: Sender
  /** By the body that went out, which stays the same object through all its retries. */
  readonly #taken = new WeakMap<object, TakenTurn>()
  readonly #recorded = new WeakSet<TakenTurn>()
  readonly #listeners = new Set<() => void>()
  #latest: { readonly text: string; readonly startedAt: number } | undefined
  #answered: TurnsState['answered']
  #seq = -1
  #state: TurnsState

  constructor(options: TurnSenderOptions) {
    this.#options = options
    const { role, fetch, unsent } = options
    this.#sender = new Sender(`/api/chat/${role}`, {
      headers: () => ({ 'throughline-role': role }),
      unsent: unsent.kept.map((message) => this.#restored(message)),
      ...(fetch && { fetch }),
    })
    this.#state = this.#read()
    this.#sender.subscribe(() => this.#publish())
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  readonly getSnapshot = (): TurnsState => this.#state

  readonly take: TakeTurn = async (turn, place, onRecorded = () => undefined) => {
    const [text, startedAt] = [JSON.stringify(turn), this.#options.now?.() ?? Date.now()]
    const latest = this.#latest
    if (latest?.text === text && startedAt - latest.startedAt < DOUBLE_CLICK_MS) return
    this.#latest = { text, startedAt }
    await this.#send({ turn, place, after: this.#seq, onRecorded })
  }

  /** Repeats what failed, under the same key unless the server had refused it. */
  readonly retry = async (key: string): Promise<void> => {
    const failed = this.#sender.getSnapshot().unsent.find((each) => each.key === key)
    if (!failed || this.#sender.getSnapshot().status === 'sending') return
    const taken = this.#takenAs(failed.body)
    if (!isReplyMissing(failed)) return this.#follow(this.#sender.retry(key), taken)
    // What the person did is recorded: only the reply is asked for again.
    this.#sender.forget(key)
    await this.#send(this.#bareTurn())
  }

  readonly forget = (key: string): void => this.#sender.forget(key)

  /** Learns what the stream has shown. */
  readonly notice = ({ view, seq }: { readonly view: ThreadView; readonly seq: number }): void => {
    this.#seq = seq
    const sending = this.#sender.getSnapshot()
    const bodies = sending.unsent.map(({ body }) => body)
    if (sending.status === 'sending') bodies.push(sending.body)
    const shown = bodies
      .map((body) => this.#takenAs(body))
      .filter((taken) => !this.#recorded.has(taken) && isShown(taken, view))
    if (shown.length === 0) return
    for (const taken of shown) this.#becomeRecorded(taken)
    this.#giveUpRecorded()
    this.#publish()
  }

  async #send(taken: TakenTurn, continuing = CONTINUED_TURNS_MAX): Promise<void> {
    const { unsent, status } = this.#sender.getSnapshot()
    if (status === 'sending') return
    const text = JSON.stringify(taken.turn)
    const before = unsent.find(({ body }) => JSON.stringify(this.#takenAs(body).turn) === text)
    // At a card the latest press is what the person wants; what they wrote, they all want sent.
    this.#giveUp((each) => each !== before && this.#isInPlaceOf(taken, each))
    const body = before ? asBody(before.body) : this.#bodyOf(taken.turn)
    this.#taken.set(body, taken)
    await this.#follow(this.#sender.send(body), taken, continuing)
  }

  async #follow(
    sent: Promise<SendResult>,
    taken: TakenTurn,
    continuing = CONTINUED_TURNS_MAX,
  ): Promise<void> {
    const result = await sent
    if (result.status === 'failed') this.#keepSeed(result.error)
    if (result.status !== 'sent') return this.#giveUpRecorded()
    const answer = readTurnAnswer(result.answer)
    if (answer.seed !== undefined) this.#options.seed.write(answer.seed)
    this.#answered = { answer, place: taken.place }
    if (answer.refused.length === 0) this.#becomeRecorded(taken)
    this.#giveUp(isReplyMissing)
    this.#publish()
    if (answer.next === 'continue' && continuing > 0) {
      await this.#send(this.#bareTurn(), continuing - 1)
    }
  }

  /** What the person did in a turn that failed is in its seed as well. */
  #keepSeed({ problem }: ClientError): void {
    const { seed } = problem?.extensions ?? {}
    if (typeof seed === 'string') this.#options.seed.write(seed)
  }

  #bareTurn(): TakenTurn {
    return { turn: {}, place: 'chat', after: this.#seq, onRecorded: () => undefined }
  }

  #isInPlaceOf({ place }: TakenTurn, other: UnsentBody): boolean {
    return place !== 'chat' && this.#takenAs(other.body).place === place
  }

  #becomeRecorded(taken: TakenTurn): void {
    if (this.#recorded.has(taken)) return
    this.#recorded.add(taken)
    taken.onRecorded()
  }

  /** What the stream has shown needs no retry, whether its answer was lost before or after that. */
  #giveUpRecorded(): void {
    this.#giveUp((each) => this.#recorded.has(this.#takenAs(each.body)) && !isReplyMissing(each))
  }

  #giveUp(is: (each: UnsentBody) => boolean): void {
    for (const { key } of this.#sender.getSnapshot().unsent.filter(is)) this.#sender.forget(key)
  }

  #takenAs(body: Json): TakenTurn {
    const taken = this.#taken.get(asBody(body))
    if (!taken) throw new Error('Cannot tell what was sent: nobody took this turn')
    return taken
  }

  #bodyOf(turn: Turn): Body {
    const { thread, seed } = this.#options
    return bodyOf({ sessionId: thread, seed: seed.read(), turn })
  }

  #restored({ text, key, after }: UnsentMessage): UnsentBody {
    const turn = { userMessage: text }
    const body = this.#bodyOf(turn)
    this.#taken.set(body, { turn, place: 'chat', after, onRecorded: () => undefined })
    return { body, key, error: new ClientError('network', 'Cannot tell: the page was left') }
  }

  #publish(): void {
    this.#state = this.#read()
    this.#options.unsent.keep(this.#messages())
    for (const notify of this.#listeners) notify()
  }

  #read(): TurnsState {
    const sending = this.#sender.getSnapshot()
    const body = sending.status === 'sending' ? sending.body : undefined
    const failed = sending.unsent.map((each): FailedTurn => {
      const missing = missingIn(each)
      const { turn, place } = this.#takenAs(each.body)
      const status = each.body === body ? 'trying_again' : 'failed'
      return {
        key: each.key,
        turn,
        place: missing === 'confirmation' ? place : 'chat',
        status,
        missing,
      }
    })
    const taken = body === undefined ? undefined : this.#takenAs(body)
    const isFirstTry = sending.unsent.every((each) => each.body !== body)
    return {
      status: body === undefined ? 'ready' : 'sending',
      underWay: taken && isFirstTry && !this.#recorded.has(taken) ? taken : undefined,
      failed,
      answered: this.#answered,
    }
  }

  #messages(): readonly UnsentMessage[] {
    const sending = this.#sender.getSnapshot()
    const open = sending.status === 'sending' ? [...sending.unsent, sending] : sending.unsent
    return open.flatMap(({ key, body }) => {
      const taken = this.#takenAs(body)
      const text = taken.turn.userMessage
      return text === undefined || this.#recorded.has(taken)
        ? []
        : [{ key, text, after: taken.after }]
    })
  }
}

/** The server has recorded what the person did, and its model gave no answer. */
function isReplyMissing({ error }: UnsentBody): boolean {
  return error.problem?.code === 'model_failed' || isLimited(error)
}

function isLimited({ problem }: ClientError): boolean {
  return problem?.code === 'limit'
}

function missingIn(each: UnsentBody): FailedTurn['missing'] {
  if (!isReplyMissing(each)) return 'confirmation'
  if (isLimited(each.error)) return 'limited_reply'
  return each.error.problem?.reason === 'refused' ? 'declined_reply' : 'reply'
}

function asBody(body: Json): Body {
  // Every body that this class sends was made by `bodyOf`.
  return body as Body
}

function bodyOf({ sessionId, seed, turn }: SentTurn): Body {
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

interface SentTurn {
  readonly sessionId: string
  readonly seed: string | undefined
  readonly turn: Turn
}
