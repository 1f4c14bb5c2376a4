import { membersOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { Sha256 } from './record.ts'
import { GENESIS, hashOf } from './seal.ts'

/** A record as stored: the text that was hashed, never one that was made again from a record. */
export interface ChainRow {
  readonly body: string
  readonly hash: string
  /** The id under which the row is found, where that is stored beside the text. */
  readonly id?: string
}

/** `firstBadSeq` is the first position whose record is missing, altered or not as anchored. */
export type ChainVerdict =
  | { readonly ok: true; readonly head: number }
  | { readonly ok: false; readonly head: number; readonly firstBadSeq: number }

/** A position that is confirmed from outside the log. */
export interface Anchor {
  readonly seq: number
  readonly hash: string
}

export interface ChainTerms {
  readonly thread: string
  readonly sha256: Sha256
  /** Shows what the chain alone cannot: a tail that was cut off or written anew. */
  readonly anchor?: Anchor | undefined
}

/** Checks one thread's rows as they are read, in the order in which they are stored. */
export class ChainCheck {
  readonly #terms: ChainTerms
  #seq = 0
  #prev = GENESIS

  constructor(terms: ChainTerms) {
    this.#terms = terms
  }

  /** The position that the next row must hold; once a row was refused, the first bad one. */
  get seq(): number {
    return this.#seq
  }

  /** False when this is not the record that belongs here; nothing after it needs to be read. */
  accepts({ body, hash, id }: ChainRow): boolean {
    const { thread, sha256, anchor } = this.#terms
    const seq = this.#seq
    if (hashOf(this.#prev, body, sha256) !== hash) return false
    const expected = { seq, thread, prev: this.#prev, ...(id !== undefined && { id }) }
    if (!saysOfItself(body, expected)) return false
    if (anchor?.seq === seq && anchor.hash !== hash) return false
    this.#seq++
    this.#prev = hash
    return true
  }

  /** The verdict over the rows so far: all of them, or all up to the refused one. */
  verdict(head: number): ChainVerdict {
    const ok = this.#seq > head && this.#seq > (this.#terms.anchor?.seq ?? -1)
    return ok ? { ok, head } : { ok, head, firstBadSeq: this.#seq }
  }
}

/** Checks a whole thread and names the first position that is missing, altered or not as anchored. */
export function verifyChain(rows: Iterable<ChainRow>, terms: ChainTerms): ChainVerdict {
  const check = new ChainCheck(terms)
  let head = -1
  let intact = true
  for (const row of rows) {
    head++
    intact &&= check.accepts(row)
  }
  return check.verdict(head)
}

function saysOfItself(body: string, expected: Readonly<Record<string, unknown>>): boolean {
  try {
    const said = membersOf(JSON.parse(body) as Json)
    return Object.entries(expected).every(([key, value]) => said[key] === value)
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
