import { isJsonArray, membersOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { IndexValue, IndexedThread } from '../log/index.ts'
import { FollowedList } from './followed-list.ts'
import type { ListOptions, ListSnapshot } from './followed-list.ts'

interface ListedNow {
  readonly threads: readonly IndexedThread[]
  /** Whether the list goes on after these. */
  readonly hasMore: boolean
}

/** The threads that the reader may enter, the one that moved last first. */
export type ListedThreads = ListSnapshot & ListedNow

export interface ThreadsStoreOptions extends ListOptions {
  /** Leaves out the threads of other applications. */
  readonly app?: string
  /** For each name of the index the value that a thread must have, or values of which it must have one. */
  readonly where?: Readonly<Record<string, IndexValue | readonly IndexValue[]>>
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

function queryOf({ app, where = {}, limit }: ThreadsStoreOptions): URLSearchParams {
  const named = Object.entries(where).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, String(value)]),
  )
  return new URLSearchParams([
    ...(app === undefined ? [] : [['app', app]]),
    ...(limit === undefined ? [] : [['limit', String(limit)]]),
    ...named,
  ])
}

function listedIn(answer: Json): ListedNow {
  const { threads = [], next } = membersOf(answer)
  // The server writes them from the same type.
  const listed = isJsonArray(threads) ? (threads as unknown as readonly IndexedThread[]) : []
  return { threads: listed, hasMore: next !== undefined }
}
