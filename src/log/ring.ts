import { BATCH_RECORDS_MAX, collectBatch } from './batch.ts'
import type { Batch } from './batch.ts'
import type { Sealed } from './seal.ts'

/** The kept records of one thread. */
export const TAIL_RECORDS_MAX = 1_024
export const TAIL_CHARS_MAX = 262_144

/** The newest records of one thread in memory, found by arithmetic on their seq. */
export class Ring {
  readonly #slots: (Sealed | undefined)[] = []
  #first = 0
  #next = 0
  #chars = 0
  /** Readers that wait together ask for the same batch. */
  #shared: { readonly after: number; readonly batch: Batch } | undefined

  push(sealed: Sealed): void {
    const { seq } = sealed.record
    if (seq !== this.#next) {
      // The thread went on while it had no ring.
      while (this.#first < this.#next) this.#dropOldest()
      this.#first = seq
    }
    if (seq - this.#first === TAIL_RECORDS_MAX) this.#dropOldest()
    this.#slots[seq % TAIL_RECORDS_MAX] = sealed
    this.#next = seq + 1
    this.#chars += sealed.body.length
    while (this.#chars > TAIL_CHARS_MAX) this.#dropOldest()
  }

  /** The batch after a position, unless some of it is older or newer than the held records. */
  batch(after: number): Batch | undefined {
    if (after + 1 < this.#first || after + 1 >= this.#next) return undefined
    if (this.#shared?.after !== after) {
      const batch = collectBatch((seq) => this.#at(seq), after, BATCH_RECORDS_MAX)
      this.#shared = { after, batch: Object.freeze(batch) }
    }
    return this.#shared.batch
  }

  #at(seq: number): Sealed | undefined {
    return seq < this.#next ? this.#slots[seq % TAIL_RECORDS_MAX] : undefined
  }

  #dropOldest(): void {
    const slot = this.#first++ % TAIL_RECORDS_MAX
    this.#chars -= this.#slots[slot]?.body.length ?? 0
    this.#slots[slot] = undefined
  }
}
