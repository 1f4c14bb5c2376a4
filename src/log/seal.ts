import type { Draft } from './draft.ts'
import { LogError } from './log-error.ts'
import type { LogRecord, Sha256 } from './record.ts'

/** `prev` of a thread's first record. */
export const GENESIS = '0'.repeat(64)

/** A record and the text that its hash is taken over: its JSON without `hash`. */
export interface Sealed {
  readonly record: LogRecord
  readonly body: string
}

/** Gives a draft its place in the chain. The record is deeply frozen: many readers share it. */
export function seal(
  { event, json }: Draft,
  { seq, prev }: { readonly seq: number; readonly prev: string },
  sha256: Sha256,
): Sealed {
  const body = `{"seq":${seq},${json},"prev":"${prev}"}`
  const { id, thread, ts, type, data, origin, v } = event
  const hash = hashOf(prev, body, sha256)
  return {
    record: Object.freeze({ seq, id, thread, ts, type, data, origin, v, prev, hash }),
    body,
  }
}

/** The link of the chain: what the record after `prev` with this stored text hashes to. */
export function hashOf(prev: string, body: string, sha256: Sha256): string {
  return sha256(`${prev}\n${body}`)
}

/**
 * Reads a record back from its stored text. The object is the caller's own and not frozen.
 *
 * @throws {@link LogError} `corrupt` when the text is not JSON
 */
export function unseal(body: string, hash: string): LogRecord {
  try {
    // Written by `seal`; whether someone changed it since is the chain's question, not a reader's.
    const record = JSON.parse(body) as { -readonly [Key in keyof LogRecord]: LogRecord[Key] }
    record.hash = hash
    return record
  } catch (cause) {
    throw new LogError('corrupt', 'Cannot read a record: its stored text is not JSON', { cause })
  }
}

/** The JSON text of a record as it is stored: `recordJson` of what `unseal` gives. */
export function storedJson(body: string, hash: string): string {
  return `${body.slice(0, -1)},"hash":"${hash}"}`
}

/**
 * The JSON text of a record: its stored text with `hash` as the last member.
 *
 * The stored text was made by `JSON.stringify`, which gives the same text again for the value of its own text,
 * once: keys keep their order (whole-number keys stood first already), numbers and escapes have one
 * spelling each.
 */
export function recordJson(record: LogRecord): string {
  return JSON.stringify(record)
}
