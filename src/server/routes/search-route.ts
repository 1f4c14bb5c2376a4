import type { Context } from 'hono'
import { z } from 'zod'
import type { ApplicationErrorCode } from '../../application/index.ts'
import { ThroughlineError } from '../../assert/index.ts'
import { SEARCH_TEXT_RECORDS_MAX } from '../../faces/index.ts'
import type { IndexedThread, LogErrorCode } from '../../log/index.ts'
import { ProblemError } from '../problems/problem.ts'
import { singleText, wholeNumber } from '../streams/cursor.ts'
import { entrantInListed } from './held-list.ts'
import type { RouteParts } from './route-parts.ts'
import { ThreadSearch } from './thread-search.ts'
import type { PlaceInThread, SearchedThread } from './thread-search.ts'

/** Characters of a text that is searched. */
export const SEARCH_CHARS_MIN = 2
export const SEARCH_CHARS_MAX = 200
/** Finds of one answer, and at most. */
export const SEARCH_FOUND_DEFAULT = 50
export const SEARCH_FOUND_MAX = 500

const OF_ONE_THREAD: ReadonlySet<string> = new Set([
  'view_failed' satisfies ApplicationErrorCode,
  'corrupt' satisfies LogErrorCode,
])

/** Where a search goes on: in a thread, and then in the threads of a list behind it. */
const cursor = z.strictObject({
  after: z.string().optional(),
  thread: z.string().optional(),
  from: z.int().min(0).default(0),
  told: z.int().min(-1).default(-1),
})

interface Cursor extends Partial<PlaceInThread> {
  readonly after?: string | undefined
  readonly thread?: string | undefined
}

/**
 * Searches the records of all threads that the sender may enter, as their role reads them: the thread that moved
 * last first. It keeps no index: a request reads for a bounded time, and names where the next one goes on.
 */
export async function searchThreads(context: Context, parts: RouteParts): Promise<Response> {
  const entrant = await parts.access.entrant(context)
  const text = textIn(context)
  const app = singleText(context, 'app', 'invalid_query')
  const limit = wholeNumber(context, 'limit', { min: 1, max: SEARCH_FOUND_MAX })
  const begin = cursorIn(context)
  return parts.quotas.search(entrant, async () => {
    const { signal } = context.req.raw
    const { log } = parts.throughline
    const search = new ThreadSearch({ log, text, limit: limit ?? SEARCH_FOUND_DEFAULT, signal })
    const next = await searchFrom(context, parts, { search, begin, app })
    const { found, searched, unread } = search
    const failed = unread.length > 0 ? { unread } : {}
    return context.json({ found, searched, ...failed, ...(next && { next: cursorText(next) }) })
  })
}

interface Searching {
  readonly search: ThreadSearch
  readonly begin: Cursor
  readonly app: string | undefined
}

/** Returns where the search has to go on; nothing once it has read all threads. */
async function searchFrom(
  context: Context,
  parts: RouteParts,
  { search, begin, app }: Searching,
): Promise<Cursor | undefined> {
  const { after, thread } = begin
  const place = thread === undefined ? undefined : await searchOn(context, parts, { search, begin })
  if (place) return { ...place, thread, after }
  // It was the last one.
  if (thread !== undefined && after === undefined) return undefined
  let next = after
  const query = { ...(app !== undefined && { app }), ...(after !== undefined && { after }) }
  const look = (listed: IndexedThread) => searchedIn(context, parts, listed)
  for await (const { shown, next: behind } of parts.throughline.walkThreads(query, look)) {
    if (endsBefore(search, next !== after)) return { after: next }
    next = behind()
    const reached = shown && (await searchIn(shown, { context, parts, search }))
    if (reached) return { ...reached, thread: shown.thread, after: next }
  }
  return next === undefined ? undefined : { after: next }
}

/** Each request takes one thread at least: reaching it may take all the time there is. */
function endsBefore(search: ThreadSearch, hasTaken: boolean): boolean {
  return hasTaken && search.isOver
}

/** Goes on in the thread that an answer before ended in, where its sender still may enter it. */
async function searchOn(
  context: Context,
  parts: RouteParts,
  { search, begin }: Pick<Searching, 'search' | 'begin'>,
): Promise<PlaceInThread | undefined> {
  const { thread = '', from = 0 } = begin
  // A sender may have written the cursor: it skips no more than a search holds open.
  const told = Math.min(begin.told ?? -1, from + SEARCH_TEXT_RECORDS_MAX)
  const owner = await parts.throughline.ownerOf(thread)
  const searched = owner && (await searchedIn(context, parts, { thread, app: owner.name }))
  return searched && searchIn(searched, { context, parts, search, place: { from, told } })
}

interface Within {
  readonly context: Context
  readonly parts: RouteParts
  readonly search: ThreadSearch
  readonly place?: PlaceInThread
}

/** Searches one thread. One that cannot be read keeps nobody from what the others hold. */
async function searchIn(
  searched: SearchedThread,
  { context, parts, search, place }: Within,
): Promise<PlaceInThread | undefined> {
  try {
    return await search.in(searched, place)
  } catch (error) {
    const isOfThread = error instanceof ThroughlineError && OF_ONE_THREAD.has(error.code)
    if (!isOfThread) throw error
    parts.logger.error({ err: error }, 'a thread could not be searched')
    parts.onFault?.(error, context.req.raw)
    search.unread.push(searched.thread)
    return undefined
  }
}

/** A thread as the sender's role in it reads it; nothing where they may not enter. */
async function searchedIn(
  context: Context,
  { throughline, access }: RouteParts,
  { thread, app }: Pick<IndexedThread, 'thread' | 'app'>,
): Promise<SearchedThread | undefined> {
  const owner = throughline.apps.find(({ name }) => name === app)
  const entrant = owner && (await entrantInListed(context, access, { thread, owner }))
  if (!entrant || !owner.role(entrant.role)) return undefined
  return { thread, app: owner.name, view: owner.view(entrant.role) }
}

function textIn(context: Context): string {
  const text = singleText(context, 'q', 'invalid_query')?.trim() ?? ''
  if (text.length >= SEARCH_CHARS_MIN && text.length <= SEARCH_CHARS_MAX) return text
  const detail = `Cannot search: give q with ${SEARCH_CHARS_MIN} to ${SEARCH_CHARS_MAX} characters`
  throw new ProblemError('invalid_query', 400, { detail })
}

function cursorIn(context: Context): Cursor {
  const text = singleText(context, 'after', 'invalid_query')
  if (text === undefined) return {}
  try {
    return cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch (cause) {
    const detail = 'Cannot use after: give the next of the answer before, or leave it out'
    throw new ProblemError('invalid_query', 400, { detail, options: { cause } })
  }
}

function cursorText(next: Cursor): string {
  return Buffer.from(JSON.stringify(next)).toString('base64url')
}
