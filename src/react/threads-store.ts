import { isJsonArray, membersOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { IndexValue, IndexedThread, ValueRange } from '../log/index.ts'
import { FollowedList } from './followed-list.ts'
import type { ListOptions, ListSnapshot } from './followed-list.ts'

interface ListedNow {
  readonly threads: readonly IndexedThread[]
  /** Whether the list goes on after these. */
  readonly hasMore: boolean
}

/** The threads that the reader may enter, the one that moved last first, or by `orderBy`. */
export type ListedThreads = ListSnapshot & ListedNow

export interface ThreadsStoreOptions extends ListOptions {
  /** Leaves out the threads of other applications. */
  readonly app?: string
  /**
   * For each name of the index the value that a thread must have, values of which it must have one, or a range
   * of numbers or texts.
   */
  readonly where?: Readonly<Record<string, IndexValue | readonly IndexValue[] | ValueRange>>
  /** A name of the index with a direction; by default the thread that moved last comes first. */
  readonly orderBy?: Readonly<Record<string, 'asc' | 'desc'>>
  /** 100 by default. */
  readonly limit?: number
}

/** Follows a list of threads, while somebody listens. */
export class ThreadsStore extends FollowedList<ListedNow> {
  constructor(options: ThreadsStoreOptions = {}) {
    super(options, { path: '/threads', query: queryOf(options), none: NOTHING, read: listedIn })
  }
}

const NOTHING: ListedNow = { threads: [], hasMore: false }

function queryOf({ app, where = {}, orderBy, limit }: ThreadsStoreOptions): URLSearchParams {
  const order = Object.entries(orderBy ?? {}).map((entry) => ['orderBy', entry.join('.')])
  return new URLSearchParams([
    ...(app === undefined ? [] : [['app', app]]),
    ...(limit === undefined ? [] : [['limit', String(limit)]]),
    ...order,
    ...Object.entries(where).flatMap(([name, wanted]) => parametersOf(name, wanted)),
  ])
}

function parametersOf(
  name: string,
  wanted: IndexValue | readonly IndexValue[] | ValueRange,
): readonly string[][] {
  if (typeof wanted !== 'object' || wanted === null || isValues(wanted)) {
    return [wanted].flat().map((value) => [name, String(value)])
  }
  // The quotes tell the text "10" from the number 10.
  return Object.entries<string | number | undefined>({ ...wanted }).flatMap(([bound, value]) =>
    value === undefined
      ? []
      : [[`${name}.${bound}`, typeof value === 'string' ? JSON.stringify(value) : String(value)]],
  )
}

function isValues(wanted: readonly IndexValue[] | ValueRange): wanted is readonly IndexValue[] {
  return Array.isArray(wanted)
}

function listedIn(answer: Json): ListedNow {
  const { threads = [], next } = membersOf(answer)
  // The server writes them from the same type.
  const listed = isJsonArray(threads) ? (threads as unknown as readonly IndexedThread[]) : []
  return { threads: listed, hasMore: next !== undefined }
}
