import type { Context } from 'hono'
import { OPERATOR, THREADS_LISTED, THREADS_LISTED_MAX, sees } from '../../application/index.ts'
import type { Role, ThreadsPage, ThreadsQuery } from '../../application/index.ts'
import type { IndexedThread } from '../../log/index.ts'
import type { Entrant } from '../access/access.ts'
import { singleText, wholeNumber } from '../streams/cursor.ts'
import { answerList, entrantInListed } from './held-list.ts'
import type { RouteParts } from './route-parts.ts'
import { orderIn, whereIn } from './thread-query.ts'

/**
 * Lists threads: for the operator all, for others those that they may enter. The query names a value of the
 * index by its name, and a bound of a range by the name, a point and the bound: `amount.gte=10`.
 */
export function listThreads(context: Context, parts: RouteParts): Promise<Response> {
  return answerList(context, parts, (entrant) =>
    threadsFor(entrant, { context, parts, query: queryOf(context) }),
  )
}

interface Listing {
  readonly context: Context
  readonly parts: RouteParts
  readonly query: ThreadsQuery
}

/** One page of the threads that a sender may enter. */
export async function threadsFor(
  { role }: Pick<Entrant, 'role'>,
  { context, parts, query }: Listing,
): Promise<ThreadsPage> {
  return role === OPERATOR ? parts.throughline.threads(query) : listedFor(context, parts, query)
}

/** Counts threads: for the operator all, for others those that they may enter of the ones looked at. */
export function countThreads(context: Context, parts: RouteParts): Promise<Response> {
  return answerList(context, parts, async ({ role }) => {
    const query = queryOf(context)
    if (role === OPERATOR) return { count: await parts.throughline.countThreads(query) }
    const whole = { ...query, limit: THREADS_LISTED_MAX }
    const { threads, next } = await listedFor(context, parts, whole)
    return { count: threads.length, ...(next !== undefined && { next }) }
  })
}

async function listedFor(
  context: Context,
  parts: RouteParts,
  query: ThreadsQuery,
): Promise<ThreadsPage> {
  const seenIn = new SeenNames(Object.keys({ ...query.where, ...query.orderBy }))
  const look = (thread: IndexedThread) => shownIn(context, parts, { thread, seenIn })
  const threads: IndexedThread[] = []
  let next: string | undefined
  for await (const looked of parts.throughline.walkThreads(query, look)) {
    if (looked.shown) threads.push(looked.shown)
    next = looked.next()
    if (threads.length >= (query.limit ?? THREADS_LISTED)) break
  }
  // How many threads have a value that the sender may not see is not told by a next page either.
  const isEmpty = seenIn.isHiding && threads.length === 0
  return isEmpty || next === undefined ? { threads } : { threads, next }
}

/** A thread as its role in it sees it; nothing where the role may not enter, or not find it by these names. */
async function shownIn(
  context: Context,
  { throughline, access }: RouteParts,
  { thread: listed, seenIn }: { readonly thread: IndexedThread; readonly seenIn: SeenNames },
): Promise<IndexedThread | undefined> {
  const { values = {}, ...row } = listed
  const { thread } = row
  const owner = throughline.apps.find(({ name }) => name === listed.app)
  const entrant = owner && (await entrantInListed(context, access, { thread, owner }))
  const role = entrant && owner.role(entrant.role)
  if (!role || !seenIn.areSeenBy(role)) return undefined
  const seen = Object.entries(values).filter(([name]) => sees(role, name))
  return seen.length === 0 ? row : { ...row, values: Object.fromEntries(seen) }
}

/** The names of a query, which a thread is found by only where its role sees their values. */
class SeenNames {
  readonly #names: readonly string[]
  #isHiding = false

  constructor(names: readonly string[]) {
    this.#names = names
  }

  /** Whether a role did not see one of them. */
  get isHiding(): boolean {
    return this.#isHiding
  }

  areSeenBy(role: Role<unknown>): boolean {
    const areSeen = this.#names.every((name) => sees(role, name))
    this.#isHiding ||= !areSeen
    return areSeen
  }
}

function queryOf(context: Context): ThreadsQuery {
  const app = singleText(context, 'app', 'invalid_query')
  const after = singleText(context, 'after', 'invalid_query')
  const orderBy = singleText(context, 'orderBy', 'invalid_query')
  const limit = wholeNumber(context, 'limit', { min: 1, max: THREADS_LISTED_MAX })
  return {
    ...(app !== undefined && { app }),
    ...(after !== undefined && { after }),
    ...(orderBy !== undefined && { orderBy: orderIn(orderBy) }),
    ...(limit !== undefined && { limit }),
    where: whereIn(context.req.queries()),
  }
}
