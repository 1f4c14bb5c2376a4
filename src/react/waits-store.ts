import type { ThreadWait } from '../activity/index.ts'
import { isJsonArray, membersOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { FollowedList } from './followed-list.ts'
import type { ListOptions, ListSnapshot } from './followed-list.ts'
import { ThreadRequests } from './thread-requests.ts'
import type { RequestResult } from './thread-requests.ts'

interface WaitingNow {
  readonly waits: readonly ThreadWait[]
}

/** What waits for the reader, over all threads, the one that moved last first. */
export type Waits = ListSnapshot & WaitingNow

export interface WaitsStoreOptions extends ListOptions {
  /** Leaves out the threads of other applications. */
  readonly app?: string
}

/** Follows what its reader may decide or answer, while somebody listens. */
export class WaitsStore {
  readonly #options: WaitsStoreOptions
  readonly #list: FollowedList<WaitingNow>
  readonly #requests = new Map<string, ThreadRequests>()
  readonly subscribe: FollowedList<WaitingNow>['subscribe']
  readonly getSnapshot: FollowedList<WaitingNow>['getSnapshot']

  constructor(options: WaitsStoreOptions = {}) {
    const { app } = options
    this.#options = options
    this.#list = new FollowedList<WaitingNow>(options, {
      path: '/waits',
      query: new URLSearchParams(app === undefined ? {} : { app }),
      none: { waits: [] },
      read: (answer) => this.#read(answer),
    })
    this.subscribe = this.#list.subscribe
    this.getSnapshot = this.#list.getSnapshot
  }

  /** Answers one question: `{ approved, reason? }` for an approval, else the values that it asks for. */
  readonly answer = (
    { id, thread, run }: Pick<ThreadWait, 'id' | 'thread' | 'run'>,
    values: Readonly<Record<string, Json>>,
  ): Promise<RequestResult> => {
    const url = `${this.#options.base ?? '/api'}/threads/${encodeURIComponent(thread)}`
    const requests = this.#requests.get(thread) ?? new ThreadRequests({ ...this.#options, url })
    this.#requests.set(thread, requests)
    return requests.send({ kind: 'answer', run, values: { [id]: values } })
  }

  #read(answer: Json): WaitingNow {
    const waits = waitsIn(answer)
    // What was answered is on no list any more.
    for (const thread of this.#requests.keys()) {
      if (!waits.some((wait) => wait.thread === thread)) this.#requests.delete(thread)
    }
    return { waits }
  }
}

function waitsIn(answer: Json): readonly ThreadWait[] {
  const { waits = [] } = membersOf(answer)
  // The server writes them from the same type.
  return isJsonArray(waits) ? (waits as unknown as readonly ThreadWait[]) : []
}
