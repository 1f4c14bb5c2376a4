import type { Anchor, Witnessed } from '../../log/index.ts'

/** Ranges of records without a head that are kept of one thread; beyond it the last one grows. */
export const UNANCHORED_RANGES_MAX = 16

/** The first and the last seq of records that no head vouched for when the thread grew past them. */
export type SeqRange = readonly [from: number, to: number]

export type Adopted = NonNullable<Witnessed['adopted']>

/** A thread's last record as the heads file vouches for it. */
export interface AnchoredHead extends Anchor {
  /** When the head was written down, in milliseconds since 1970, by the writer's clock. */
  readonly ts: number
  readonly unanchored: readonly SeqRange[]
  readonly adopted?: Adopted
}

/** A thread's way from one head to the next in one commit. */
export interface Move extends Anchor {
  /** The seq of the thread's last record before the commit, −1 when there was none. */
  readonly before: number
}

/** The head after a commit. Records between the last head and the commit are put on record. */
export function headAfter(
  last: AnchoredHead | undefined,
  { before, seq, hash }: Move,
  ts: number,
): AnchoredHead {
  const from = (last?.seq ?? -1) + 1
  const ranges = last?.unanchored ?? []
  const unanchored = before < from ? ranges : added(ranges, [from, before])
  return { seq, hash, ts, unanchored, ...(last?.adopted && { adopted: last.adopted }) }
}

/** Puts the moment on record at which a key first vouches for the heads. */
export function* adoptedHeads<Name>(
  heads: Iterable<readonly [name: Name, head: AnchoredHead]>,
  ts: number,
): Generator<readonly [Name, AnchoredHead], undefined> {
  for (const [name, head] of heads) yield [name, { ...head, adopted: { seq: head.seq, ts } }]
}

/** Returns the unanchored records of a thread that reaches `head`. */
export function unanchoredIn(
  last: AnchoredHead | undefined,
  head: number,
): { readonly unanchored: number; readonly unanchoredFrom: readonly number[] } {
  const from = (last?.seq ?? -1) + 1
  const kept = last?.unanchored ?? []
  const ranges: readonly SeqRange[] = head < from ? kept : [...kept, [from, head]]
  return {
    unanchored: ranges.reduce((sum, [first, end]) => sum + end - first + 1, 0),
    unanchoredFrom: ranges.map(([first]) => first),
  }
}

function added(ranges: readonly SeqRange[], [from, to]: SeqRange): readonly SeqRange[] {
  const last = ranges.at(-1)
  if (!last || ranges.length < UNANCHORED_RANGES_MAX) return [...ranges, [from, to]]
  return [...ranges.slice(0, -1), [last[0], to]]
}
