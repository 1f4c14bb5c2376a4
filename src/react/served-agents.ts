import type { Fetch } from '../client/index.ts'
import { ClientError, request } from '../client/index.ts'
import { isJsonArray, membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'

export interface ServedAgent {
  readonly name: string
  readonly description: string
  readonly application: string
  /** Whether a thread may begin with it. */
  readonly begins: boolean
}

export type ServedAgents =
  | { readonly status: 'asking' }
  | { readonly status: 'failed'; readonly error: ClientError }
  | { readonly status: 'answered'; readonly agents: readonly ServedAgent[] }

export interface ServedAgentsOptions {
  /** The base path of the routes: by default `/api`. */
  readonly base?: string
  readonly headers?: () => Readonly<Record<string, string>>
  readonly fetch?: Fetch
}

/**
 * Asks a server which agents may be asked, at the first listener. The functions are bound, as
 * `useSyncExternalStore` takes them.
 */
export class ServedAgentsStore {
  readonly #options: ServedAgentsOptions
  readonly #listeners = new Set<() => void>()
  #served: ServedAgents = ASKING
  /** Questions so far; only the answer to the latest counts. */
  #asked = 0

  constructor(options: ServedAgentsOptions = {}) {
    this.#options = options
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const notify = (): void => listener()
    this.#listeners.add(notify)
    if (this.#asked === 0) this.look()
    return () => {
      this.#listeners.delete(notify)
    }
  }

  readonly getSnapshot = (): ServedAgents => this.#served

  /** Asks again. */
  readonly look = (): void => {
    const question = ++this.#asked
    this.#become(ASKING)
    this.#ask()
      .then((served) => {
        if (question === this.#asked) this.#become(served)
      })
      .catch((error: unknown) => reportError(error))
  }

  async #ask(): Promise<ServedAgents> {
    const { base = '/api', headers } = this.#options
    try {
      const url = `${base}/agents/served`
      const answer = await request(url, { ...this.#options, headers: headers?.() ?? {} })
      return { status: 'answered', agents: agentsIn(answer) }
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      return { status: 'failed', error }
    }
  }

  #become(served: ServedAgents): void {
    this.#served = served
    for (const notify of this.#listeners) notify()
  }
}

const ASKING = { status: 'asking' } as const

function agentsIn(answer: Json): readonly ServedAgent[] {
  const { agents } = membersOf(answer)
  if (!isJsonArray(agents)) return []
  return agents.map((agent) => ({
    name: textOf(agent, 'name'),
    description: textOf(agent, 'description'),
    application: textOf(agent, 'application'),
    begins: membersOf(agent)['begins'] === true,
  }))
}
