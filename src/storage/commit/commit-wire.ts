import { GENESIS, LogError, place, recordJson } from '../../log/index.ts'
import type { Anchor, Appended, Draft, LogErrorCode, LogRecord } from '../../log/index.ts'
import type { Committed } from './committer.ts'
import type { DraftedAppend, Outcome } from './drafted-append.ts'

/** The message of a commit thread that is ready for its first request. */
export const READY = 'ready'

/**
 * Appends as they cross threads: flat text. Cloning the objects would cost a small append more than
 * all the rest of it does, and so would escaping texts that are JSON already.
 */
export interface AppendsOnTheWire {
  /** The appends as JSON, each drafted text in them replaced by its length. */
  readonly frames: string
  readonly texts: string
}

interface Frame extends Pick<DraftedAppend, 'thread' | 'expectedVersion'> {
  readonly ids: readonly string[]
  readonly chars: readonly number[]
}

/** A `LogError` as it crosses threads. */
interface Failure {
  readonly code: LogErrorCode
  readonly message: string
}

/** Hashes alone: the records they belong to are made where the events are. */
interface Hashed {
  /** The head that the append found. */
  readonly before: Anchor
  readonly hashes: readonly string[]
  /** The record, as JSON, of each event that the thread held; `null` when it held none. */
  readonly held: readonly (string | null)[] | null
}

type Reply =
  | {
      readonly outcomes: readonly (Hashed | Failure)[]
      readonly failure: Failure | null
      readonly diskMs: number
    }
  | { readonly refusal: Failure; readonly failure: Failure | null }

export function encodeAppends(appends: readonly DraftedAppend[]): AppendsOnTheWire {
  let texts = ''
  const frames = appends.map(({ thread, drafts, expectedVersion }): Frame => {
    for (const { json } of drafts) texts += json
    const ids = drafts.map(({ event }) => event.id)
    return { thread, expectedVersion, ids, chars: drafts.map(({ json }) => json.length) }
  })
  return { frames: JSON.stringify(frames), texts }
}

export function decodeAppends({ frames, texts }: AppendsOnTheWire): readonly DraftedAppend[] {
  let at = 0
  const draft = (id: string, length = 0): Draft => {
    const json = texts.slice(at, (at += length))
    // All that sealing needs of an event: the rest of it stays where it was drafted.
    return { event: { id } as Draft['event'], json }
  }
  // Written by `encodeAppends`.
  return (JSON.parse(frames) as readonly Frame[]).map(({ thread, expectedVersion, ids, chars }) => {
    return { thread, expectedVersion, drafts: ids.map((id, index) => draft(id, chars[index])) }
  })
}

export function encodeCommitted(committed: Committed): string {
  const failure = committed.failure && failureOf(committed.failure)
  const reply: Reply =
    committed.status === 'refused'
      ? { refusal: failureOf(committed.refusal), failure }
      : { outcomes: committed.outcomes.map(hashedOf), failure, diskMs: committed.diskMs }
  return JSON.stringify(reply)
}

/** Makes the records that the other thread sealed, from the drafts of this one. */
export function decodeCommitted(text: string, appends: readonly DraftedAppend[]): Committed {
  // Written by `encodeCommitted`.
  const reply = JSON.parse(text) as Reply
  const failure = reply.failure && errorOf(reply.failure)
  if ('refusal' in reply) return { status: 'refused', refusal: errorOf(reply.refusal), failure }
  const outcomes = reply.outcomes.map((outcome, index): Outcome => {
    return 'code' in outcome ? errorOf(outcome) : appendedOf(outcome, appends[index])
  })
  return { status: 'committed', outcomes, failure, diskMs: reply.diskMs }
}

export function encodeFailure(error: LogError | null): string {
  return JSON.stringify(error && failureOf(error))
}

export function decodeFailure(text: string): LogError | null {
  // Written by `encodeFailure`.
  const failure = JSON.parse(text) as Failure | null
  return failure && errorOf(failure)
}

function failureOf({ code, message }: LogError): Failure {
  return { code, message }
}

function errorOf({ code, message }: Failure): LogError {
  return new LogError(code, message)
}

function hashedOf(outcome: Outcome): Hashed | Failure {
  if (outcome instanceof LogError) return failureOf(outcome)
  const { records, fresh } = outcome
  const first = fresh[0]?.record
  const before = first ? { seq: first.seq - 1, hash: first.prev } : { seq: -1, hash: GENESIS }
  const hashes = fresh.map(({ record }) => record.hash)
  if (records.length === fresh.length) return { before, hashes, held: null }
  const isNew = new Set<LogRecord>(fresh.map(({ record }) => record))
  const held = records.map((record) => (isNew.has(record) ? null : recordJson(record)))
  return { before, hashes, held }
}

function appendedOf({ before, hashes, held }: Hashed, append: DraftedAppend | undefined): Appended {
  const { thread = '', drafts = [] } = append ?? {}
  let next = 0
  const { records, fresh } = place(
    held ? drafts.filter((_, index) => held[index] === null) : drafts,
    { thread, head: before, find: () => undefined, insert: () => ++next > 0 },
    { sha256: () => hashes[next] ?? '' },
  )
  if (!held) return { records, fresh }
  const rest = records.values()
  // A record's own text, or the next of the new ones: there is one for each that is not held.
  const all = held.map(
    (text) => (text === null ? rest.next().value : JSON.parse(text)) as LogRecord,
  )
  return { records: all, fresh }
}
