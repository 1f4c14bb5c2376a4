import { quotedNames, unknownMember } from '../json/index.ts'
import type { KnownMembers } from '../json/index.ts'
import type { IndexValue, ThreadOrder, ThreadQuery, ValueRange } from '../log/index.ts'
import { ApplicationError } from './app-error.ts'
import { whyNoValue } from './declared-index.ts'
import type { AppTypes } from './app-types.ts'
import type { App } from './define-app.ts'
import { checkedRange, invalidQuery, isRange } from './value-range.ts'

/** Threads of one page. */
export const THREADS_LISTED_MAX = 1_000
/** Values that one name of `where` may list. */
export const WHERE_VALUES_MAX = 16
/** By default. */
export const THREADS_LISTED = 100

type WhereValue = IndexValue | readonly IndexValue[] | ValueRange

export interface ThreadsQuery<AppName extends string = string, IndexName extends string = string> {
  /** The name of an application. */
  readonly app?: AppName
  /**
   * For each declared name the value that a thread must have, values of which it must have one, or a range:
   * `{ gte, gt, lte, lt }` of numbers or of texts.
   */
  readonly where?: { readonly [Name in IndexName]?: WhereValue }
  /**
   * One declared name with a direction: lists the threads that have a value of it, by that value. By default
   * the thread that moved last comes first.
   */
  readonly orderBy?: { readonly [Name in IndexName]?: 'asc' | 'desc' }
  /** The `next` of the page before; opaque. */
  readonly after?: string
  /** 1 to {@link THREADS_LISTED_MAX}; 100 by default. */
  readonly limit?: number
}

/** With the names that applications declare. */
export type QueryOf<Types extends AppTypes> = ThreadsQuery<
  NonNullable<Types['app']>,
  NonNullable<Types['index']>
>

const QUERY_PARTS: KnownMembers<ThreadsQuery> = {
  app: true,
  where: true,
  orderBy: true,
  after: true,
  limit: true,
}

/** Which threads to count. */
export type ThreadsCountQuery<Query extends ThreadsQuery = ThreadsQuery> = Pick<
  Query,
  'app' | 'where'
>

export function checkedQuery(
  apps: readonly Pick<App, 'name' | 'index'>[],
  query: ThreadsQuery,
): ThreadQuery {
  const unknown = unknownMember(query, QUERY_PARTS)
  if (unknown !== undefined) throw invalidQuery('this query', unknown)
  const { app, where = {}, orderBy, limit = THREADS_LISTED } = query
  const searched = searchedApps(apps, app)
  if (!Number.isInteger(limit) || limit < 1 || limit > THREADS_LISTED_MAX) {
    throw invalidQuery(`limit ${limit}`, `give a whole number from 1 to ${THREADS_LISTED_MAX}`)
  }
  const declared = new Set(searched.flatMap(({ index }) => Object.keys(index)))
  const order = orderBy === undefined ? undefined : checkedOrder(orderBy)
  for (const name of [...Object.keys(where), ...(order ? [order.name] : [])]) {
    if (!declared.has(name)) throw undeclared(name, { app, declared })
  }
  const entries = Object.entries(where as Readonly<Record<string, WhereValue>>).map(
    ([name, given]) =>
      [name, isRange(given) ? checkedRange(name, given) : checkedValues(name, given)] as const,
  )
  return { app, where: Object.fromEntries(entries), ...(order && { orderBy: order }), limit }
}

function searchedApps(
  apps: readonly Pick<App, 'name' | 'index'>[],
  app: string | undefined,
): readonly Pick<App, 'name' | 'index'>[] {
  if (app === undefined) return apps
  const searched = apps.filter(({ name }) => name === app)
  if (searched.length === 0) throw unknownApp(app, apps)
  return searched
}

export function unknownApp(name: string, apps: readonly Pick<App, 'name'>[]): ApplicationError {
  const known = quotedNames(apps.map((each) => each.name))
  return new ApplicationError('unknown_app', `Cannot find application "${name}": there is ${known}`)
}

function checkedOrder(orderBy: NonNullable<ThreadsQuery['orderBy']>): ThreadOrder {
  // A program without types may give anything.
  const [entry, ...more] = Object.entries<unknown>(Object(orderBy))
  const mend = "give one name of the index and its direction, such as { amount: 'desc' }"
  if (!entry || more.length > 0) throw invalidQuery('this order', mend)
  const [name, direction] = entry
  if (direction === 'asc' || direction === 'desc') return { name, direction }
  throw invalidQuery(`the order of "${name}"`, `its direction is neither "asc" nor "desc"; ${mend}`)
}

function checkedValues(
  name: string,
  given: Exclude<WhereValue, ValueRange>,
): readonly IndexValue[] {
  const values = Array.isArray(given) ? (given as readonly IndexValue[]) : [given as IndexValue]
  // A query over HTTP names the text "42" and the number 42 at once: they count as one.
  const texts = new Set(values.filter((value) => typeof value === 'string'))
  const count = values.filter((value) => typeof value === 'string' || !texts.has(`${value}`)).length
  if (count > WHERE_VALUES_MAX) {
    throw invalidQuery(`${count} values of "${name}"`, `give at most ${WHERE_VALUES_MAX}`)
  }
  for (const value of values) {
    const why = whyNoValue(value)
    if (why !== undefined) throw invalidQuery(`a value of "${name}"`, `it is ${why}`)
  }
  return values
}

function undeclared(
  name: string,
  { app, declared }: { readonly app: string | undefined; readonly declared: ReadonlySet<string> },
): ApplicationError {
  const who = app === undefined ? 'no application has' : `"${app}" does not have`
  const known = quotedNames(declared) || 'none'
  return invalidQuery(`"${name}"`, `${who} this name in its index; declared: ${known}`)
}
