import type { ClientError } from '../client/index.ts'
import type { Json } from '../json/index.ts'
import { Outbox } from './outbox.ts'
import type { OutboxOptions, Pending, Result } from './outbox.ts'

/** A send that was not confirmed: the server may have it, unless it refused it for good. */
export interface UnsentBody {
  readonly body: Json
  /** Names it; as long as its fate is unknown, also the key that a retry goes under. */
  readonly key: string
  readonly error: ClientError
}

/** The state of the latest send; while it is retried, `body` is the same object as in `unsent`. */
type SendPhase =
  | { readonly status: 'idle' }
  | { readonly status: 'sending'; readonly body: Json; readonly key: string }
  | ({ readonly status: 'failed' } & UnsentBody)

export type SendState = SendPhase & {
  /** Everything that failed and was neither sent since nor given up, in the order of its first try. */
  readonly unsent: readonly UnsentBody[]
}

export type SendResult =
  | { readonly status: 'sent'; readonly answer: Json }
  | { readonly status: 'failed'; readonly error: ClientError }
  /** Another body is under way, or there is nothing to retry. */
  | { readonly status: 'ignored' }

export type SenderOptions = Omit<OutboxOptions<Json, never>, 'doubleClickMs' | 'pending'>

interface Answered {
  readonly answer: Json
}

/**
 * Sends what a person does to one address, one thing at a time, through an {@link Outbox}.
 * The functions are bound, as `useSyncExternalStore` takes them.
 */
export class Sender {
  readonly #outbox: Outbox<Json, Answered>
  #shown:
    | { readonly pending: readonly Pending<Json, Answered>[]; readonly state: SendState }
    | undefined

  constructor(url: string, options: SenderOptions = {}) {
    const post = (body: Json) => ({ url, body })
    this.#outbox = new Outbox({ post, accepted: (answer) => ({ answer }) }, options)
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#outbox.subscribe(listener)

  readonly getSnapshot = (): SendState => {
    const pending = this.#outbox.settle(isAnswered)
    if (this.#shown?.pending !== pending) this.#shown = { pending, state: this.#read() }
    return this.#shown.state
  }

  /** Never rejects because the world failed; the result says what became of it. */
  readonly send = async (body: Json): Promise<SendResult> => {
    const state = this.getSnapshot()
    const isBusy = state.status === 'sending' && JSON.stringify(state.body) !== JSON.stringify(body)
    return isBusy ? { status: 'ignored' } : sendResult(await this.#outbox.send(body))
  }

  /** Sends again what failed under this key; without one, what failed last. */
  readonly retry = async (key?: string): Promise<SendResult> => {
    const { unsent } = this.getSnapshot()
    const named = key === undefined ? unsent.at(-1) : unsent.find((each) => each.key === key)
    return named ? this.send(named.body) : { status: 'ignored' }
  }

  /** Drops the failed send of this key. */
  readonly forget = (key: string): void => this.#outbox.forget(key)

  #read(): SendState {
    const { pending, latest } = this.#outbox
    const unsent = pending.flatMap(({ key, request: body, state, failure }): UnsentBody[] => {
      const error = state.status === 'failed' ? state.error : failure
      return error ? [{ key, body, error }] : []
    })
    if (!latest || latest.state.status === 'accepted') return { status: 'idle', unsent }
    const { key, request: body, state } = latest
    return { ...state, body, key, unsent }
  }
}

function isAnswered({ state }: Pending<Json, Answered>): boolean {
  return state.status === 'accepted'
}

function sendResult(result: Result<Answered>): SendResult {
  return result.status === 'accepted' ? { status: 'sent', answer: result.answer } : result
}
