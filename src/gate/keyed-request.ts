import { ThroughlineError } from '../assert/index.ts'
import { customEvent, customValue } from '../activity/index.ts'
import { membersOf, textOf } from '../json/index.ts'
import type { LogRecord, NewEvent } from '../log/index.ts'

/** A request that came under an idempotency key. */
export interface KeyedRequest {
  /** Made from the principal and the key, so that a repeat finds the record of the first request. */
  readonly id: string
  /** Of everything that the request asks for. */
  readonly digest: string
}

export type GateErrorCode = 'key_reused'

/** A request that the gate does not take: nothing of it is recorded. */
export class GateError extends ThroughlineError<GateErrorCode> {
  override readonly name = 'GateError'
}

export function keyReused(): GateError {
  return new GateError(
    'key_reused',
    'Cannot use this Idempotency-Key: it came with another body before',
  )
}

/** The digest that a request's record or a run's first record holds; empty in any other record. */
export function recordedDigest(record: LogRecord): string {
  const request = customValue(record, 'request')
  if (request !== undefined) return textOf(request, 'digest')
  return textOf(membersOf(record.data)['metadata'] ?? null, 'request')
}

/** @throws {@link GateError} `key_reused` when the record was made for a request with another digest */
export function requireSameRequest(record: LogRecord, digest: string): void {
  if (recordedDigest(record) !== digest) throw keyReused()
}

/** The record of a request: it precedes the records that the request led to. */
export function requestEvent({ id, digest }: KeyedRequest, records: number): NewEvent {
  return { ...customEvent('request', { digest, records }, { source: 'system', depth: 0 }), id }
}

/** Returns the first event of a commit: the record of its keyed request, if it has a key. */
export function openingOf(request: KeyedRequest | undefined, records: number): readonly NewEvent[] {
  return request ? [requestEvent(request, records)] : []
}

/** A log that held all ids of a batch has given the records of the request that came first. */
export function requireOwnOpening(
  [opening]: readonly LogRecord[],
  request: KeyedRequest | undefined,
): void {
  if (request && opening) requireSameRequest(opening, request.digest)
}

/** How many records a request led to. */
export function recordsOfRequest(record: LogRecord): number {
  const { records } = membersOf(customValue(record, 'request') ?? null)
  return typeof records === 'number' ? records : 0
}
