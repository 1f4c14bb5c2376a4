import { randomBytes } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { OPERATOR } from '../../application/index.ts'
import type { Throughline } from '../../application/index.ts'
import { LogError, erasedThread } from '../../log/index.ts'
import { inBackground, startIdleTimer } from '../../platform/index.ts'
import { forkThread } from '../../replay/index.ts'
import type { Fork } from '../../replay/index.ts'
import type { Authenticate } from '../access/foreign-access.ts'
import { ProblemError, notFound } from '../problems/problem.ts'
import { readBody } from './request-body.ts'
import type { RouteDescriptions } from './route-description.ts'
import type { RouteParts } from './route-parts.ts'
import { requireOperatorRole } from './thread-entry.ts'
import type { Entered } from './thread-entry.ts'

/** Forks that a server holds at once, and the records that they begin with together: all are in memory. */
export const FORKS_MAX = 32
export const FORKS_RECORDS_MAX = 200_000
/** How long after its last request a fork ends. */
export const FORK_IDLE_MAX_MS = 60 * 60_000

/** The surface that an operator acts by in a fork, for events that the domain takes from it alone. */
const SURFACE_HEADER = 'throughline-surface'
const FORK_ID_BYTES = 16
/** Who sends a request into a fork, as this server found them: the same header of a request is dropped. */
const ACTOR_HEADER = 'throughline-fork-actor'

const forkBody = z.strictObject({ at: z.int().min(-1) })

export const FORK_ROUTES: RouteDescriptions = {
  'POST /api/threads/:id/fork': { summary: 'Forks a thread, in memory', body: forkBody },
  'GET /api/forks': { summary: 'The forks that this server holds' },
  'GET /api/forks/:fork': {
    summary: 'One fork. Under its address it has the routes of its threads',
  },
  'DELETE /api/forks/:fork': { summary: 'Ends a fork' },
}

/** The routes over the threads of a fork. */
interface ForkedRoutes {
  readonly fetch: (request: Request) => Response | Promise<Response>
  readonly close: () => void
}

export type RoutesOver = (throughline: Throughline, authenticate: Authenticate) => ForkedRoutes

interface HeldFork extends ForkedRoutes {
  readonly fork: Fork
  /** With a hash, a reader of redacted records could test guesses. */
  readonly showsHash: boolean
  cancelTimer: () => void
}

/** Forks of threads, for operators: the same routes over logs in memory, each for a bounded time. */
export class ForkRoutes {
  readonly #parts: RouteParts
  readonly #routesOver: RoutesOver
  readonly #forks = new Map<string, HeldFork>()
  /** The places of the forks that are being made. */
  readonly #beginning = new Map<string, number>()
  readonly #stopHearing: () => void

  constructor(parts: RouteParts, routesOver: RoutesOver) {
    this.#parts = parts
    this.#routesOver = routesOver
    this.#stopHearing = parts.throughline.onErased((thread) => this.#forget(thread))
  }

  mount(app: Hono): void {
    app.post('/api/threads/:id/fork', (context) => this.#begin(context))
    app.get('/api/forks', async (context) => {
      await this.#parts.access.requireOperator(context)
      const forks: ReturnType<typeof shown>[] = []
      for (const [id, held] of this.#forks)
        if (await this.#entered(context, held)) forks.push(shown(id, held))
      return context.json({ forks })
    })
    app.get('/api/forks/:fork', async (context) => {
      const [id, held] = await this.#in(context)
      return context.json(shown(id, held))
    })
    app.delete('/api/forks/:fork', async (context) => {
      const [id] = await this.#in(context)
      this.#end(id)
      return context.json({ ended: true })
    })
    app.all('/api/forks/:fork/*', async (context) => {
      const [id, { fetch }, actor] = await this.#in(context)
      return fetch(requestIn(context.req.raw, id, actor))
    })
  }

  close(): void {
    this.#stopHearing()
    for (const id of this.#forks.keys()) this.#end(id)
  }

  async #begin(context: Context): Promise<Response> {
    this.#requireOpen()
    const entered = await this.#parts.entry.enter(context)
    requireOperatorRole(entered)
    const { throughline, quotas } = this.#parts
    const { at } = await readBody(context, forkBody)
    const { thread, as, entrant } = entered
    const head = await throughline.log.head(thread)
    if (at > head) throw tooFar(at, head)
    this.#requireRoom(at)
    const apps = throughline.apps.map(({ app }) => app)
    const origin = throughline.log
    const id = randomBytes(FORK_ID_BYTES).toString('hex')
    this.#beginning.set(id, at)
    const fork = await quotas
      .read(entrant, () => forkThread({ origin, thread, at, apps }))
      .finally(() => this.#beginning.delete(id))
    if (this.#parts.closing.aborted) await fork.close()
    this.#requireOpen()
    const routes = this.#routesOver(fork.tl, ({ headers }) => {
      const actor = headers.get(ACTOR_HEADER)
      return {
        role: OPERATOR,
        surface: headers.get(SURFACE_HEADER) ?? as.surface,
        ...(actor !== null && { actor: decodeURIComponent(actor) }),
      }
    })
    const showsHash = entered.view.isUnfiltered
    const held: HeldFork = { ...routes, fork, showsHash, cancelTimer: this.#timer(id) }
    this.#forks.set(id, held)
    await this.#requireWhole(entered, id)
    return context.json(shown(id, held))
  }

  /** The fork that a request names. Each request lets it live on. */
  async #in(
    context: Context,
  ): Promise<readonly [id: string, held: HeldFork, actor: string | undefined]> {
    await this.#parts.access.requireOperator(context)
    const id = context.req.param('fork') ?? ''
    const held = this.#forks.get(id)
    const entered = held && (await this.#entered(context, held))
    if (!held || !entered) throw notFound('fork')
    held.cancelTimer()
    held.cancelTimer = this.#timer(id)
    return [id, held, entered.as.actor]
  }

  /** Who may not enter a thread as its operator finds no fork of it. */
  async #entered(context: Context, { fork }: HeldFork): Promise<Entered | undefined> {
    try {
      const entered = await this.#parts.entry.enterNamed(context, fork.label.thread)
      return entered.role === OPERATOR ? entered : undefined
    } catch (error) {
      if (error instanceof ProblemError) return undefined
      throw error
    }
  }

  #timer(id: string): () => void {
    return startIdleTimer(() => this.#end(id), FORK_IDLE_MAX_MS)
  }

  #requireRoom(at: number): void {
    const held = [...this.#forks.values()].map(({ fork }) => fork.label.at)
    const places = [...held, ...this.#beginning.values()]
    const records = places.reduce((sum, place) => sum + place + 1, 0)
    const isFull = places.length >= FORKS_MAX
    if (!isFull && records + at + 1 <= FORKS_RECORDS_MAX) return
    const most = `${FORKS_MAX} forks, or ${FORKS_RECORDS_MAX} records in them`
    const detail = `Cannot fork: a server holds ${most}; delete one that is not needed`
    throw new ProblemError('too_many_forks', 429, { detail })
  }

  /** Closed routes would never end a fork. */
  #requireOpen(): void {
    if (!this.#parts.closing.aborted) return
    throw new LogError('closed', 'Cannot fork: these routes were closed')
  }

  /** An erasure that came while the thread was copied has found no fork to end. */
  async #requireWhole({ thread, owner }: Entered, id: string): Promise<void> {
    if (!(await owner.gate.snapshot(thread)).isErased) return
    this.#end(id)
    throw erasedThread(thread)
  }

  /** What an erased person wrote must not live on in a fork. */
  #forget(thread: string): void {
    for (const [id, { fork }] of this.#forks) if (fork.label.thread === thread) this.#end(id)
  }

  #end(id: string): void {
    const held = this.#forks.get(id)
    this.#forks.delete(id)
    held?.cancelTimer()
    held?.close()
    inBackground(held?.fork.close())
  }
}

function shown(id: string, { fork: { label, missed }, showsHash }: HeldFork) {
  const { hash, ...place } = label
  // What a call was given may be personal, and an operator may read without that.
  return { fork: id, ...place, ...(showsHash && { hash }), missed: missed.map(({ name }) => name) }
}

/** `/api/forks/ID/threads/…` of a request is `/api/threads/…` of the fork. */
function requestIn(given: Request, id: string, actor: string | undefined): Request {
  const url = new URL(given.url)
  const inFork = `/api/forks/${id}/`
  url.pathname = `/api/${url.pathname.slice(url.pathname.indexOf(inFork) + inFork.length)}`
  const { method, body, signal } = given
  const headers = new Headers(given.headers)
  headers.delete(ACTOR_HEADER)
  if (actor !== undefined) headers.set(ACTOR_HEADER, encodeURIComponent(actor))
  return new Request(url, { method, headers, signal, ...(body && { body, duplex: 'half' }) })
}

function tooFar(at: number, head: number): ProblemError {
  const detail = `Cannot fork at ${at}: the thread ends at ${head}`
  return new ProblemError('invalid_body', 400, { detail })
}
