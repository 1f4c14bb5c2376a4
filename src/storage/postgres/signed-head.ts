import type { Anchor } from '../../log/index.ts'
import type { Adopted } from '../heads/anchored-head.ts'
import { hmacSha256 } from '../heads/hmac-sha256.ts'

/** A thread's head as its row holds it. */
export interface StoredHead extends Anchor {
  readonly thread: string
  /** When it was written, in milliseconds since 1970, by the writer's clock. */
  readonly ts: number
  /** The signature over all of it, and when the thread has adopted its key. */
  readonly sum: string
  readonly adopted?: Adopted
}

/** Each key signs this once, so that a process with none of the keys is refused before it writes. */
export const SAMPLE = { thread: '', seq: 0, hash: '', ts: 0 }

type Unsigned = Omit<StoredHead, 'sum'>

/** The adoption that a signature names and covers. */
export function adoptedIn(sum: string): { readonly adopted?: Adopted } {
  const [, seq, ts] = sum.split(' ')
  return ts === undefined ? {} : { adopted: { seq: Number(seq), ts: Number(ts) } }
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

  sign(head: Unsigned): string {
    const [sum] = this.#sums
    const signature = sum?.(this.#textOf(head)) ?? ''
    return head.adopted ? [signature, ...adoptionOf(head)].join(' ') : signature
  }

  /** A thread without records needs no signature. */
  accepts(head: StoredHead): boolean {
    if (head.seq === -1) return true
    const text = this.#textOf(head)
    const [signature] = head.sum.split(' ')
    return this.#sums.some((sum) => sum(text) === signature)
  }

  #textOf(head: Unsigned): Uint8Array {
    const { thread, seq, hash, ts } = head
    return Buffer.from(JSON.stringify([this.#epoch, thread, seq, hash, ts, ...adoptionOf(head)]))
  }
}

function adoptionOf({ adopted }: Unsigned): readonly number[] {
  return adopted ? [adopted.seq, adopted.ts] : []
}
