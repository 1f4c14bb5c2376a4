import { assert } from '../assert/index.ts'
import type { Anchor } from './chain.ts'
import { Drafter } from './draft.ts'
import type { Draft, Sources } from './draft.ts'
import { LogError } from './log-error.ts'
import type { LogRecord, NewEvent, Sha256 } from './record.ts'
import { seal } from './seal.ts'
import type { Sealed } from './seal.ts'

/** Events of one append. */
export const APPEND_EVENTS_MAX = 100_000

/**
 * Checks and encodes the events of one append, before any of them is stored.
 *
 * @throws {@link LogError} `invalid_event`, `too_large`
 */
export function draftAll(thread: string, events: readonly NewEvent[], sources: Sources): Draft[] {
  if (events.length > APPEND_EVENTS_MAX) {
    throw new LogError(
      'too_large',
      `Cannot append to "${thread}": ${events.length} events are more than ${APPEND_EVENTS_MAX}`,
    )
  }
  const drafter = new Drafter(thread, sources)
  return events.map((event) => drafter.draft(event))
}

/** A thread as its only writer holds it for the time of one append. */
export interface Target {
  readonly thread: string
  readonly head: Anchor
  find(id: string): LogRecord | undefined
  /** False, with nothing stored, when the thread holds the id. */
  insert(sealed: Sealed): boolean
}

export interface Appended {
  /** The record of each draft, in their order. */
  readonly records: readonly LogRecord[]
  /** The new records among them. */
  readonly fresh: readonly Sealed[]
}

/**
 * Puts drafts into a thread. An id that the thread holds is answered with its record, whatever head
 * the writer saw when all of them are held: then it asks for the answer to an append that succeeded.
 *
 * @throws {@link LogError} `version_conflict`, before anything is inserted
 */
export function place(
  drafts: readonly Draft[],
  target: Target,
  { expectedVersion, sha256 }: { readonly expectedVersion?: number; readonly sha256: Sha256 },
): Appended {
  if (expectedVersion !== undefined && expectedVersion !== target.head.seq) {
    return { records: allHeld(drafts, target, expectedVersion), fresh: [] }
  }
  let { seq, hash } = target.head
  const fresh: Sealed[] = []
  const records = drafts.map((drafted) => {
    const sealed = seal(drafted, { seq: seq + 1, prev: hash }, sha256)
    if (!target.insert(sealed)) return heldRecord(drafted, target)
    fresh.push(sealed)
    ;({ seq, hash } = sealed.record)
    return sealed.record
  })
  return { records, fresh }
}

function allHeld(
  drafts: readonly Draft[],
  target: Target,
  expectedVersion: number,
): readonly LogRecord[] {
  return drafts.map(({ event }) => {
    const held = target.find(event.id)
    if (held) return held
    const { thread, head } = target
    throw new LogError(
      'version_conflict',
      `Cannot append to "${thread}": expected head ${expectedVersion}, it is ${head.seq}`,
    )
  })
}

function heldRecord({ event }: Draft, target: Target): LogRecord {
  const held = target.find(event.id)
  assert(held, `Cannot append "${event.id}": the thread both holds it and does not`)
  return held
}
