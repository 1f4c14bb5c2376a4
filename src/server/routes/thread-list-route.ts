import type { Context } from 'hono'
import { OPERATOR, THREADS_LISTED_MAX, sees } from '../../application/index.ts'
import type { Role, ThreadsQuery } from '../../application/index.ts'
import type { IndexValue, IndexedThread } from '../../log/index.ts'
import { singleText, wholeNumber } from '../streams/cursor.ts'
import { answerList, entrantInListed } from './held-list.ts'
import type { RouteParts } from './route-parts.ts'

/**
 * Lists threads: for the operator all, for others those that they may enter. Every name in the query except
 * `app`, `after`, `limit` and `since` is one that an application has declared in its index.
 */
export function listThreads(context: Context, parts: RouteParts): Promise<Response> {
  return answerList(context, parts, async ({ role }) => {
    const query = queryOf(context)
    const { throughline } = parts
    if (role === OPERATOR) return throughline.threads(query)
    const seenIn = new SeenNames(Object.keys(query.where ?? {}))
    const page = await throughline.threadsFor(query, (thread) =>
      shownIn(context, parts, { thread, seenIn }),
    )
    // How many threads have a value that the sender may not see is not told by a next page either.
    return seenIn.isHiding && page.threads.length === 0 ? { threads: [] } : page
  })
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
  const limit = wholeNumber(context, 'limit', { min: 1, max: THREADS_LISTED_MAX })
  return {
    ...(app !== undefined && { app }),
    ...(after !== undefined && { after }),
    ...(limit !== undefined && { limit }),
    where: whereOf(context.req.queries()),
  }
}

function whereOf({
  app: _app,
  after: _after,
  limit: _limit,
  since: _since,
  ...named
}: Record<string, string[]>): Readonly<Record<string, readonly IndexValue[]>> {
  const entries = Object.entries(named)
  return Object.fromEntries(entries.map(([name, texts]) => [name, texts.flatMap(valuesOf)]))
}

/** A query carries only texts: `42` means the text and the number, `true` the text and the boolean. */
function valuesOf(text: string): readonly IndexValue[] {
  if (LITERALS.has(text)) return [text, JSON.parse(text) as IndexValue]
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? [text, number] : [text]
}

const LITERALS: ReadonlySet<string> = new Set(['true', 'false', 'null'])
