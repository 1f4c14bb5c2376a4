import type { Anchor } from '../../log/index.ts'
import { hmacSha256 } from '../heads/hmac-sha256.ts'

/** A thread's head as its row holds it. */
export interface StoredHead extends Anchor {
  readonly thread: string
  /** When it was written, in milliseconds since 1970, by the writer's clock. */
  readonly ts: number
  /** The signature over all of it. */
  readonly sum: string
}

/** Signs heads in their rows, so that a head that somebody else has written shows. */
export class HeadSigner {
  readonly #epoch: string
  readonly #sums: readonly ((...parts: readonly Uint8Array[]) => string)[]

  /** The first key signs, all are accepted; without any, heads carry a checksum only. */
  constructor(epoch: string, keys: readonly string[]) {
    this.#epoch = epoch
    this.#sums = (keys.length > 0 ? keys : ['']).map(hmacSha256)
  }

  sign(head: Omit<StoredHead, 'sum'>): string {
    const [sum] = this.#sums
    return sum?.(this.#textOf(head)) ?? ''
  }

  /** A thread without records needs no signature. */
  accepts(head: StoredHead): boolean {
    if (head.seq === -1) return true
    const text = this.#textOf(head)
    return this.#sums.some((sum) => sum(text) === head.sum)
  }

  #textOf({ thread, seq, hash, ts }: Omit<StoredHead, 'sum'>): Uint8Array {
    return Buffer.from(JSON.stringify([this.#epoch, thread, seq, hash, ts]))
  }
}
