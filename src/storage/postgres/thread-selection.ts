import { boundsOf, indexKey, isValues } from '../../log/index.ts'
import type { IndexValue, ThreadQuery, ValueRange } from '../../log/index.ts'

/** A statement with its values. */
export interface Selection {
  readonly text: string
  readonly values: readonly unknown[]
}

type Given = (value: unknown) => string

/** A left join, so that the answer also tells whether the index holds the generation. */
export function selectionOf(generation: string, query: ThreadQuery): Selection {
  const values: unknown[] = []
  const given: Given = (value) => `$${values.push(value)}`
  const { from, terms, columns, direction } = orderOf(query, given)
  const order = (of: string) => columns.map((column) => `${of}.${column} ${direction}`).join(', ')
  const text = `SELECT t.* FROM throughline.index_state s LEFT JOIN LATERAL (
      SELECT ${columns.map((column) => `led.${column}`).join(', ')}, thread, app, head, ts, held
      FROM ${from} ${whereAll(terms)} ORDER BY ${order('led')} LIMIT ${given(query.limit)}
    ) AS t ON true WHERE s.generation = ${given(generation)} ORDER BY ${order('t')}`
  return { text, values }
}

function orderOf({ orderBy, after, ...query }: ThreadQuery, given: Given) {
  const direction = orderBy?.direction === 'asc' ? 'ASC' : 'DESC'
  const comparison = direction === 'ASC' ? '>' : '<'
  if (!orderBy) {
    const terms = found(query, { threads: 'led', given })
    if (after) terms.push(`led.rank < ${given(after.rank)}::bigint`)
    return { from: 'throughline.index_threads led', terms, columns: ['rank'], direction }
  }
  const { name } = orderBy
  const terms = [
    isFact('led', name, { wanted: query.where?.[name], given }),
    ...found(query, { threads: 'i', given, except: name }),
  ]
  if (after) {
    const place = `(${given(after.key)}, ${given(after.rank)}::bigint)`
    terms.push(`(led.value, led.rank) ${comparison} ${place}`)
  }
  const from = `throughline.index_facts led JOIN throughline.index_threads i ON i.rank = led.rank`
  return { from, terms, columns: ['value', 'rank'], direction }
}

/** No row where the index does not hold the generation. */
export function countOf(generation: string, query: Pick<ThreadQuery, 'app' | 'where'>): Selection {
  const values: unknown[] = []
  const given: Given = (value) => `$${values.push(value)}`
  const text = `SELECT (
      SELECT count(*) FROM throughline.index_threads i ${whereAll(found(query, { threads: 'i', given }))}
    ) AS count FROM throughline.index_state WHERE generation = ${given(generation)}`
  return { text, values }
}

interface Found {
  /** The name of the table of threads in the statement. */
  readonly threads: string
  readonly given: Given
  readonly except?: string | undefined
}

function found(
  { app, where = {} }: Pick<ThreadQuery, 'app' | 'where'>,
  { threads, given, except }: Found,
): string[] {
  const facts = Object.entries(where).filter(([name]) => name !== except)
  const terms = facts.map(
    ([name, wanted]) => `EXISTS (
      SELECT FROM throughline.index_facts f WHERE f.rank = ${threads}.rank
      AND ${isFact('f', name, { wanted, given })}
    )`,
  )
  return app === undefined ? terms : [...terms, `${threads}.app = ${given(app)}`]
}

interface Asked {
  readonly wanted: readonly IndexValue[] | ValueRange | undefined
  readonly given: Given
}

function isFact(table: string, name: string, { wanted, given }: Asked): string {
  const isNamed = `${table}.name = ${given(name)}`
  if (!wanted) return isNamed
  if (isValues(wanted)) {
    return `${isNamed} AND ${table}.value = ANY (${given(wanted.map(indexKey))}::text[])`
  }
  const bounds = boundsOf(wanted).map(
    ({ operator, key }) => `${table}.value ${operator} ${given(key)}`,
  )
  return [isNamed, ...bounds].join(' AND ')
}

function whereAll(terms: readonly string[]): string {
  return terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`
}
