import { quotedNames } from '../json/index.ts'
import type { IndexValue, Sha256, ThreadQuery } from '../log/index.ts'
import { ApplicationError } from './app-error.ts'
import { whyNoValue } from './declared-index.ts'
import type { App } from './define-app.ts'

/** Threads of one page. */
export const THREADS_LISTED_MAX = 1_000
/** Values that one name of `where` may list. */
export const WHERE_VALUES_MAX = 16
const THREADS_LISTED = 100
/** Of a cursor: the tag, and the rank below a mask. */
const TAG_CHARS = 16
const RANK_CHARS = 12

export interface ThreadsQuery {
  /** The name of an application. */
  readonly app?: string
  /** For each declared name the value that a thread must have, or values of which it must have one. */
  readonly where?: Readonly<Record<string, IndexValue | readonly IndexValue[]>>
  /** The `next` of the page before; opaque. */
  readonly after?: string
  /** 1 to {@link THREADS_LISTED_MAX}; 100 by default. */
  readonly limit?: number
}

export function checkedQuery(
  apps: readonly Pick<App, 'name' | 'index'>[],
  { app, where = {}, limit = THREADS_LISTED }: ThreadsQuery,
): ThreadQuery {
  const searched = app === undefined ? apps : apps.filter(({ name }) => name === app)
  if (app !== undefined && searched.length === 0) throw unknownApp(app, apps)
  if (!Number.isInteger(limit) || limit < 1 || limit > THREADS_LISTED_MAX) {
    throw invalid(`limit ${limit}`, `give a whole number from 1 to ${THREADS_LISTED_MAX}`)
  }
  const declared = new Set(searched.flatMap(({ index }) => Object.keys(index)))
  const entries = Object.entries(where).map(([name, given]) => {
    if (!declared.has(name)) throw undeclared(name, { app, declared })
    return [name, checkedValues(name, given)] as const
  })
  return { app, where: Object.fromEntries(entries), limit }
}

export function unknownApp(name: string, apps: readonly Pick<App, 'name'>[]): ApplicationError {
  const known = quotedNames(apps.map((each) => each.name))
  return new ApplicationError('unknown_app', `Cannot find application "${name}": there is ${known}`)
}

interface CursorKey {
  /** Known to the server alone. */
  readonly generation: string
  readonly sha256: Sha256
}

/**
 * The cursor of a thread in a list; it means nothing in another generation of the index. The rank is masked:
 * two of them would tell a reader how many threads lie between, also of those that they may not enter.
 */
export function cursorAt(rank: number, { generation, sha256 }: CursorKey): string {
  const tag = sha256(`tag ${generation} ${rank}`).slice(0, TAG_CHARS)
  return `${tag}${masked(rank, tag, { generation, sha256 }).toString(16).padStart(RANK_CHARS, '0')}`
}

export function rankOf(cursor: string, key: CursorKey): number {
  const hidden = Number.parseInt(cursor.slice(TAG_CHARS), 16)
  const rank = Number(masked(hidden || 0, cursor.slice(0, TAG_CHARS), key))
  if (cursor === cursorAt(rank, key)) return rank
  throw invalid(
    `after "${cursor}"`,
    'no page of the list as it is now ended there; begin again without "after"',
  )
}

/** Masks a number, and unmasks it again. */
function masked(number: number, tag: string, { generation, sha256 }: CursorKey): bigint {
  const mask = sha256(`mask ${generation} ${tag}`).slice(0, RANK_CHARS)
  return BigInt.asUintN(RANK_CHARS * 4, BigInt(number) ^ BigInt(`0x${mask}`))
}

function checkedValues(
  name: string,
  given: IndexValue | readonly IndexValue[],
): readonly IndexValue[] {
  const values = Array.isArray(given) ? (given as readonly IndexValue[]) : [given as IndexValue]
  // A query over HTTP names the text "42" and the number 42 at once: they count as one.
  const texts = new Set(values.filter((value) => typeof value === 'string'))
  const count = values.filter((value) => typeof value === 'string' || !texts.has(`${value}`)).length
  if (count > WHERE_VALUES_MAX) {
    throw invalid(`${count} values of "${name}"`, `give at most ${WHERE_VALUES_MAX}`)
  }
  for (const value of values) {
    const why = whyNoValue(value)
    if (why !== undefined) throw invalid(`a value of "${name}"`, `it is ${why}`)
  }
  return values
}

function undeclared(
  name: string,
  { app, declared }: { readonly app: string | undefined; readonly declared: ReadonlySet<string> },
): ApplicationError {
  const who = app === undefined ? 'no application has' : `"${app}" does not have`
  const known = quotedNames(declared) || 'none'
  return invalid(`"${name}"`, `${who} this name in its index; declared: ${known}`)
}

function invalid(what: string, why: string): ApplicationError {
  return new ApplicationError('invalid_query', `Cannot list threads by ${what}: ${why}`)
}
