/** A value that the listed threads have in their application's index. */
export interface Filter {
  readonly name: string
  readonly value: string
}

/** What the list shows; its address holds all of it, so that a link keeps it. */
export interface ListQuery {
  readonly app: string | undefined
  readonly filters: readonly Filter[]
  /** What is searched in the records. */
  readonly text: string
}

/** Characters that the server searches. */
export const TEXT_MIN = 2
export const TEXT_MAX = 200
const FILTERS_MAX = 8

export function readListQuery(search: string): ListQuery {
  const given = new URLSearchParams(search)
  return {
    app: given.get('app') ?? undefined,
    filters: given.getAll('where').flatMap(filterIn).slice(0, FILTERS_MAX),
    text: (given.get('q') ?? '').slice(0, TEXT_MAX),
  }
}

/** A filter as an address holds it, such as `status:open`; no name of an index has a colon. */
function filterIn(text: string): readonly Filter[] {
  const at = text.indexOf(':')
  return at < 1 ? [] : [{ name: text.slice(0, at), value: text.slice(at + 1) }]
}

export function writeListQuery({ app, filters, text }: ListQuery): string {
  const parts = new URLSearchParams()
  if (app !== undefined) parts.set('app', app)
  for (const { name, value } of filters) parts.append('where', `${name}:${value}`)
  if (text !== '') parts.set('q', text)
  return parts.size === 0 ? '' : `?${parts}`
}

export function withFilter(query: ListQuery, added: Filter): ListQuery {
  const has = query.filters.some((each) => isSame(each, added))
  return has ? query : { ...query, filters: [...query.filters, added] }
}

export function withoutFilter(query: ListQuery, removed: Filter): ListQuery {
  return { ...query, filters: query.filters.filter((each) => !isSame(each, removed)) }
}

/** The values of each name; of several a thread has one. */
export function whereOf({ filters }: ListQuery): Readonly<Record<string, readonly string[]>> {
  const names = [...new Set(filters.map(({ name }) => name))]
  return Object.fromEntries(
    names.map((of) => [of, filters.filter(({ name }) => name === of).map(({ value }) => value)]),
  )
}

function isSame(one: Filter, other: Filter): boolean {
  return one.name === other.name && one.value === other.value
}
