import type { Json, LogRecord } from 'throughline'
import { membersOf } from 'throughline'
import { PAYLOADS } from './payloads.ts'
import type { DeclinedOffer, SavedJob, TeamEvent } from './payloads.ts'
import { WAITING_TYPES } from './state.ts'

/** A record as the team's readers see it, or undefined for one that is none of the stored types. */
export function flatEvent({ seq, id, ts, type, data }: LogRecord): TeamEvent | undefined {
  if (!Object.hasOwn(PAYLOADS, type)) return undefined
  const { sessionId = null, ...payload } = membersOf(data)
  // The gate let this type in with a payload of its schema.
  const named = WAITING_TYPES.has(type) ? { uuid: id } : {}
  return { id: seq, ts, sessionId, type, ...named, ...payload } as Json as unknown as TeamEvent
}

/** The offer that a record declines, or undefined for another record. */
export function declinedOffer({ type, data }: LogRecord): DeclinedOffer | undefined {
  // The gate let this type in with a payload of its schema.
  return type === 'offer_declined' ? (data as unknown as DeclinedOffer) : undefined
}

/** The job that a record saves, or undefined for another record. */
export function savedJob({ type, data }: LogRecord): SavedJob | undefined {
  // The gate let this type in with a payload of its schema.
  return type === 'job_saved' ? (data as unknown as SavedJob) : undefined
}
