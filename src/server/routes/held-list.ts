import type { Context } from 'hono'
import type { Access, Entrant, ThreadToEnter } from '../access/access.ts'
import { sha256 } from '../../platform/index.ts'
import { ProblemError } from '../problems/problem.ts'
import { singleText } from '../streams/cursor.ts'
import type { RouteParts } from './route-parts.ts'

/** How long a request waits for a list that differs from the one that it knows. */
export const LISTS_HELD_MAX_MS = 20_000
/** The pause between two looks at whether threads have moved. */
const LOOK_MS = 500

interface Page {
  readonly next?: string
}

/**
 * Answers with a list and its tag. Named the tag of a list with `?since=`, it answers once there is another,
 * after {@link LISTS_HELD_MAX_MS} at the latest.
 */
export async function answerList(
  context: Context,
  { throughline, access, quotas, closing }: RouteParts,
  listed: (entrant: Entrant) => Promise<Page>,
): Promise<Response> {
  const entrant = await access.entrant(context)
  const since = singleText(context, 'since', 'invalid_query')
  const release = quotas.holdStream(entrant)
  try {
    const until = performance.now() + LISTS_HELD_MAX_MS
    for (;;) {
      const position = await throughline.position()
      const list = await listed(entrant)
      // Where the next page begins may move with threads that the sender may not enter.
      const tag = sha256(JSON.stringify({ ...list, next: undefined })).slice(0, 16)
      if (tag !== since) return context.json({ ...list, tag })
      const hasMoved = async () => (await throughline.position()) !== position
      const signal = AbortSignal.any([closing, context.req.raw.signal])
      if (!(await turnsTrue(hasMoved, { until, signal }))) return context.json({ ...list, tag })
    }
  } finally {
    release()
  }
}

/** Lets a request into a thread of a list, or returns nothing where its sender may not enter. */
export async function entrantInListed(
  context: Context,
  access: Access,
  place: ThreadToEnter,
): Promise<Entrant | undefined> {
  try {
    return await access.entrantIn(context, place)
  } catch (error) {
    if (error instanceof ProblemError && [401, 403, 404].includes(error.status)) return undefined
    throw error
  }
}

/** Asks again and again whether something is true; false once the time is over or the reader has gone. */
async function turnsTrue(
  isTrue: () => Promise<boolean>,
  { until, signal }: { readonly until: number; readonly signal: AbortSignal },
): Promise<boolean> {
  while (!signal.aborted && performance.now() < until) {
    if (await isTrue()) return true
    await pause(LOOK_MS)
  }
  return false
}

function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, ms)
  return promise
}
