import type { Context } from 'hono'
import { THREADS_LISTED_MAX } from '../../application/index.ts'
import type { OpenedApp, ThreadWait } from '../../application/index.ts'
import { sha256 } from '../../platform/index.ts'
import { ProblemError } from '../problems/problem.ts'
import { singleText, wholeNumber } from '../streams/cursor.ts'
import type { RouteParts } from './route-parts.ts'

/** How long a request waits for a list that differs from the one that it knows. */
export const WAITS_HELD_MAX_MS = 20_000
/** The pause between two looks at whether threads have moved. */
const LOOK_MS = 500
/** Threads of one page by default. */
const WAITS_LISTED = 100

interface WaitsAnswer {
  readonly waits: readonly ThreadWait[]
  readonly next?: string
  /** Names this list: with `?since=` of it, a request is answered once the list differs. */
  readonly tag: string
}

/**
 * Answers with what the sender may decide or answer, over all threads that they may enter. Named a list that
 * they have, it answers once there is another, after {@link WAITS_HELD_MAX_MS} at the latest.
 */
export async function listWaits(context: Context, parts: RouteParts): Promise<Response> {
  const { throughline, access, quotas, closing } = parts
  const entrant = await access.entrant(context)
  const since = singleText(context, 'since', 'invalid_query')
  const release = quotas.holdStream(entrant)
  try {
    const until = performance.now() + WAITS_HELD_MAX_MS
    for (;;) {
      const position = await throughline.position()
      const answer = await waitsFor(context, parts)
      if (answer.tag !== since) return context.json(answer)
      const hasMoved = async () => (await throughline.position()) !== position
      const signal = AbortSignal.any([closing, context.req.raw.signal])
      if (!(await turnsTrue(hasMoved, { until, signal }))) {
        return context.json(answer)
      }
    }
  } finally {
    release()
  }
}

async function waitsFor(context: Context, parts: RouteParts): Promise<WaitsAnswer> {
  const app = singleText(context, 'app', 'invalid_query')
  const after = singleText(context, 'after', 'invalid_query')
  const limit = wholeNumber(context, 'limit', { min: 1, max: THREADS_LISTED_MAX }) ?? WAITS_LISTED
  const query = { limit, ...(app !== undefined && { app }), ...(after !== undefined && { after }) }
  const page = await parts.throughline.waitsOf(query, (thread, owner) =>
    waitsIn(context, parts, { thread, owner }),
  )
  return { ...page, tag: sha256(JSON.stringify(page.waits)).slice(0, 16) }
}

/** Of a thread that the sender may not enter, nothing. */
async function waitsIn(
  context: Context,
  { access }: RouteParts,
  { thread, owner }: { readonly thread: string; readonly owner: OpenedApp },
): Promise<readonly ThreadWait[]> {
  try {
    const entrant = await access.entrantIn(context, { thread, owner })
    const { role, surface = role } = entrant
    const actor = access.actor(context, entrant)
    return await owner.waits(thread, { role, surface, ...(actor !== undefined && { actor }) })
  } catch (error) {
    if (error instanceof ProblemError && [401, 403, 404].includes(error.status)) return []
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
