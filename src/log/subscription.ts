import { assert } from '../assert/index.ts'

export interface SubscriptionParts<Item> {
  /** Yields what lies after this place. */
  readonly after: number
  /** Loads the records after a place, at most one batch; nothing at the end. */
  readonly load: (after: number) => readonly Item[] | Promise<readonly Item[]>
  readonly placeOf: (item: Item) => number
  /** The last place that is known to be stored. */
  readonly published: () => number
  readonly leave: () => void
  /** Whether an empty batch is yielded each time that everything stored has been yielded. */
  readonly marksEnd?: true
}

type Step<Item> = IteratorResult<readonly Item[], undefined>

/**
 * A cursor that pulls: it loads until it has seen everything, and then waits to be woken.
 *
 * Not a generator: a generator's `return()` would queue up behind a `next()` that waits for items that
 * may never come.
 */
export class Subscription<Item> implements AsyncIterableIterator<readonly Item[]> {
  readonly #parts: SubscriptionParts<Item>
  #after: number
  #ended = false
  /** Storage was read to its end once, so whatever is newer will be published. */
  #live = false
  /** Whether the end has been marked since the last item. */
  #marked = false
  #asked: PromiseWithResolvers<Step<Item>> | undefined
  #waiting = false

  constructor(parts: SubscriptionParts<Item>) {
    this.#parts = parts
    this.#after = parts.after
  }

  next(): Promise<Step<Item>> {
    if (this.#ended) return Promise.resolve(DONE)
    if (this.#asked) return this.#asked.promise.then(() => this.next())
    this.#asked = Promise.withResolvers<Step<Item>>()
    const { promise } = this.#asked
    this.#pull().catch(this.#fail)
    return promise
  }

  return(): Promise<Step<Item>> {
    this.end()
    return Promise.resolve(DONE)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  end(): void {
    this.#ended = true
    this.#parts.leave()
    this.#takeAsked()?.resolve(DONE)
  }

  wake(): void {
    if (this.#waiting) this.#pull().catch(this.#fail)
  }

  /** Answers the pending `next()`, or leaves it waiting when all that is stored was seen. */
  async #pull(): Promise<void> {
    this.#waiting = false
    while (!this.#live || this.#parts.published() > this.#after) {
      const loaded = this.#parts.load(this.#after)
      const batch = loaded instanceof Promise ? await loaded : loaded
      const last = batch.at(-1)
      if (last !== undefined) {
        this.#after = this.#parts.placeOf(last)
        this.#marked = false
        this.#takeAsked()?.resolve({ done: false, value: batch })
        return
      }
      assert(
        !this.#live || this.#parts.published() <= this.#after,
        `Cannot follow a log: ${this.#after + 1} was published and is not stored`,
      )
      this.#live = true
    }
    if (this.#parts.marksEnd && !this.#marked) {
      this.#marked = true
      this.#takeAsked()?.resolve({ done: false, value: [] })
      return
    }
    this.#waiting = true
  }

  readonly #fail = (error: unknown): void => {
    this.#ended = true
    this.#parts.leave()
    this.#takeAsked()?.reject(error)
  }

  /** Returns the pending `next()`, whose answer may ask for the next one already. */
  #takeAsked(): PromiseWithResolvers<Step<Item>> | undefined {
    const asked = this.#asked
    this.#asked = undefined
    return asked
  }
}

const DONE = Object.freeze({ done: true, value: undefined })
