import { customEvent, customValue } from '../../activity/index.ts'
import { requestEvent, requireSameRequest, stableId } from '../../gate/index.ts'
import type { EventLog } from '../../log/index.ts'
import type { Json } from '../../json/index.ts'
import { bodyDigest } from './keyed-requests.ts'
import type { KeyedRequest } from './keyed-requests.ts'

/** Holds the requests of routes that concern no single thread; no application owns it. */
export const REQUESTS_THREAD = 'throughline-requests'

/**
 * Does a keyed request's work and records its answer; a repeat gets the recorded answer. A request that
 * was cut off before its answer is done again.
 *
 * @throws {@link GateError} `key_reused` when the log holds the key with another body
 */
export async function recordedOnce<Answer extends Json>(
  log: EventLog,
  { principal, key, body }: KeyedRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (key === undefined) return work()
  const digest = bodyDigest(body)
  const idOf = (part: string): string => stableId(REQUESTS_THREAD, principal, key, part)
  const opening = requestEvent({ id: idOf('request'), digest }, 0)
  // The log keeps the first record of an id, so of two requests at once one is refused.
  const [first] = await log.append(REQUESTS_THREAD, [opening])
  if (first) requireSameRequest(first, digest)
  const earlier = await log.find(REQUESTS_THREAD, idOf('answer'))
  const answer = earlier ? customValue(earlier, 'answer') : undefined
  // Stored under the digest of this request, so it has the type of this request's work.
  if (answer !== undefined) return answer as Answer
  const given = await work()
  const ended = customEvent('answer', given, { source: 'system', depth: 0 })
  await log.append(REQUESTS_THREAD, [{ ...ended, id: idOf('answer') }])
  return given
}
