import type { OnShelf, ShelfEntry, ShelfListing, ShelfQuery } from '../../log/index.ts'
import { textOf, wholeOf } from './rows.ts'

/** Makes statements over one table of shelves, in the words that SQLite and Postgres have in common. */
export class ShelfSelection {
  readonly values: (string | number)[] = []
  readonly #table: string
  readonly #mark: '?' | '$'

  /** The mark begins the placeholder of a value; its number follows. */
  constructor(table: string, mark: '?' | '$') {
    this.#table = table
    this.#mark = mark
  }

  list(shelf: string, { order, direction, after, limit, ...query }: ShelfListing): string {
    const columns = order === 'sort' ? ['lead.sort', 'lead.rank'] : ['lead.rank']
    const terms = this.#terms(query)
    if (after) terms.push(this.#behind(columns, direction, after))
    const ordered = columns.map((column) => `${column} ${direction}`).join(', ')
    return `SELECT e.shelf, e.key, e.sort, e.rank, e.value FROM ${this.#table} AS lead
      CROSS JOIN ${this.#table} AS e
      WHERE ${terms.join(' AND ')} AND e.shelf = ${this.#given(shelf)} AND e.key = lead.key
      ORDER BY ${ordered}${limit === undefined ? '' : ` LIMIT ${this.#given(limit)}`}`
  }

  count(query: ShelfQuery): string {
    const terms = this.#terms(query)
    return `SELECT count(*) AS count FROM ${this.#table} AS lead WHERE ${terms.join(' AND ')}`
  }

  #given(value: string | number): string {
    return `${this.#mark}${this.values.push(value)}`
  }

  #terms({ by, on = [] }: ShelfQuery): string[] {
    const others = on.map((each) => {
      const term = `other.key = lead.key AND other.rank = lead.rank AND ${this.#isOn('other', each)}`
      return `EXISTS (SELECT 1 FROM ${this.#table} AS other WHERE ${term})`
    })
    return [this.#isOn('lead', by), ...others]
  }

  #isOn(name: string, { shelf, sorts, bounds = [] }: OnShelf): string {
    const terms = [`${name}.shelf = ${this.#given(shelf)}`]
    if (sorts) terms.push(this.#isOneOf(`${name}.sort`, sorts))
    for (const { operator, key } of bounds) {
      terms.push(`${name}.sort ${operator} ${this.#given(key)}`)
    }
    return terms.join(' AND ')
  }

  #isOneOf(column: string, texts: readonly string[]): string {
    if (texts.length === 0) return '1 = 0'
    return `${column} IN (${texts.map((text) => this.#given(text)).join(', ')})`
  }

  #behind(
    columns: readonly string[],
    direction: ShelfListing['direction'],
    { sort, rank }: NonNullable<ShelfListing['after']>,
  ): string {
    const given = columns.length === 1 ? [rank] : [sort, rank]
    const places = given.map((value) => this.#given(value)).join(', ')
    return `(${columns.join(', ')}) ${direction === 'asc' ? '>' : '<'} (${places})`
  }
}

/** Comes after whatever else a name goes on with: names that begin alike lie between the two. */
export const LAST_CHARACTER = '\u{10ffff}'

/** Reads a row of either database. */
export function entryOf(row: Readonly<Record<string, unknown>>): ShelfEntry {
  return {
    shelf: textOf(row['shelf']),
    key: textOf(row['key']),
    sort: textOf(row['sort']),
    rank: wholeOf(row['rank']),
    value: textOf(row['value']),
  }
}
