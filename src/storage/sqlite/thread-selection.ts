import { boundsOf, indexKey, isValues } from '../../log/index.ts'
import type { IndexValue, ThreadPlace, ThreadQuery, ValueRange } from '../../log/index.ts'

/** A statement, or a part of one, with the values of its places. */
export interface Selection {
  readonly sql: string
  readonly given: readonly (string | number)[]
}

type Wanted = readonly IndexValue[] | ValueRange

/** The facts of one name lead; each further name is looked up for the threads found so. */
export function selectionOf({ orderBy, after, limit, ...query }: ThreadQuery): Selection {
  const leading = orderBy?.name ?? leadOf(query.where)
  const { from, terms } = foundBy(query, leading)
  const rank = leading === undefined ? 'threads.rank' : 'lead.rank'
  const direction = orderBy?.direction === 'asc' ? 'ASC' : 'DESC'
  const columns = orderBy ? ['lead.value', rank] : [rank]
  const all = after ? [...terms, behind(columns, direction, after)] : terms
  return {
    sql: `SELECT threads.rank, thread, app, head, ts, held FROM ${from} ${whereAll(all)}
      ORDER BY ${columns.map((column) => `${column} ${direction}`).join(', ')} LIMIT ?`,
    given: [...all.flatMap(({ given }) => given), limit],
  }
}

export function countOf(query: Pick<ThreadQuery, 'app' | 'where'>): Selection {
  const { from, terms } = foundBy(query, leadOf(query.where))
  return {
    sql: `SELECT count(*) AS count FROM ${from} ${whereAll(terms)}`,
    given: terms.flatMap(({ given }) => given),
  }
}

/** Of several names, one whose facts come by rank, if there is one. */
function leadOf(where: ThreadQuery['where'] = {}): string | undefined {
  const names = Object.keys(where)
  return names.find((name) => isOneValue(where[name])) ?? names[0]
}

function isOneValue(wanted: Wanted | undefined): boolean {
  return wanted !== undefined && isValues(wanted) && wanted.length === 1
}

function foundBy(
  { app, where = {} }: Pick<ThreadQuery, 'app' | 'where'>,
  leading: string | undefined,
): { readonly from: string; readonly terms: readonly Selection[] } {
  const others = Object.entries(where).filter(([name]) => name !== leading)
  const terms = [
    ...(leading === undefined ? [] : [hasFact('lead', leading, where[leading])]),
    ...others.map(([name, wanted]) => {
      const { sql, given } = hasFact('other', name, wanted)
      // By its thread: a range of values would be read again for each thread.
      const facts = 'facts AS other INDEXED BY facts_of_thread'
      const exists = `EXISTS (SELECT 1 FROM ${facts} WHERE other.rank = threads.rank AND ${sql})`
      return { sql: exists, given }
    }),
    ...(app === undefined ? [] : [{ sql: 'app = ?', given: [app] }]),
  ]
  const from = leading === undefined ? 'threads' : 'facts AS lead CROSS JOIN threads USING (rank)'
  return { from, terms }
}

function hasFact(table: string, name: string, wanted: Wanted | undefined): Selection {
  const { sql, given } = wanted ? isWanted(`${table}.value`, wanted) : { sql: '', given: [] }
  return { sql: `${table}.name = ?${sql}`, given: [name, ...given] }
}

function isWanted(column: string, wanted: Wanted): Selection {
  if (isValues(wanted)) {
    const places = wanted.map(() => '?').join(', ')
    return { sql: ` AND ${column} IN (${places})`, given: wanted.map(indexKey) }
  }
  const bounds = boundsOf(wanted)
  return {
    sql: bounds.map(({ operator }) => ` AND ${column} ${operator} ?`).join(''),
    given: bounds.map(({ key }) => key),
  }
}

function behind(
  columns: readonly string[],
  direction: 'ASC' | 'DESC',
  { key, rank }: ThreadPlace,
): Selection {
  const given = columns.length === 1 ? [rank] : [key, rank]
  const places = given.map(() => '?').join(', ')
  return { sql: `(${columns.join(', ')}) ${direction === 'ASC' ? '>' : '<'} (${places})`, given }
}

function whereAll(terms: readonly Selection[]): string {
  return terms.length === 0 ? '' : `WHERE ${terms.map(({ sql }) => sql).join(' AND ')}`
}
