import { Hono } from 'hono'
import type { Context } from 'hono'
import type { Logger } from 'pino'
import { z } from 'zod'
import { AgentError } from '../agents/index.ts'
import type { Json } from '../json/index.ts'
import type { Access } from './access.ts'
import type { Application, TakenTurn } from './application.ts'
import { KeyedRequests, idempotencyKey } from './keyed-requests.ts'
import { ProblemError, notFound } from './problem.ts'
import { proposedEvent, readBody } from './request-body.ts'
import type { ThreadEntry } from './thread-entry.ts'

/** The longest prompt, in characters. */
export const PROMPT_CHARS_MAX = 100_000

/** Events that a person proposes with one run. */
export const RUN_EVENTS_MAX = 20

const startBody = z
  .strictObject({
    agent: z.string().min(1).max(64),
    input: z.string().trim().min(1).max(PROMPT_CHARS_MAX).exactOptional(),
    events: z.array(proposedEvent).min(1).max(RUN_EVENTS_MAX).exactOptional(),
  })
  .refine(({ input, events }) => input ?? events, 'give input, events or both')

const resumeBody = z.strictObject({ values: z.record(z.string(), z.json()) })

export interface RunRouteParts {
  readonly applications: readonly Application[]
  readonly access: Access
  readonly entry: ThreadEntry
  readonly logger: Logger
}

/** The routes by which agents are asked, answered and stopped, in threads of every application. */
export class RunRoutes {
  readonly #parts: RunRouteParts
  readonly #keyed = new KeyedRequests()

  constructor(parts: RunRouteParts) {
    this.#parts = parts
  }

  mount(app: Hono): void {
    app.get('/api/agents/served', (context) => this.#served(context))
    const runs = new Hono()
    runs.post('/', (context) => this.#start(context))
    runs.post('/:runId/resume', (context) => this.#resume(context))
    runs.post('/:runId/cancel', (context) => this.#cancel(context))
    app.route('/api/threads/:id/runs', runs)
    app.post('/api/threads/:id/history/reset', (context) => this.#reset(context))
  }

  async #served(context: Context): Promise<Response> {
    await this.#parts.access.requireOperator(context)
    const agents = this.#parts.applications.flatMap(({ name: application, runs }) =>
      (runs?.agents ?? []).map(({ name, description, tools, agents: below, handoffs }) => ({
        name,
        description,
        application,
        tools: [...tools.keys()],
        agents: below().map((agent) => agent.name),
        handoffs: handoffs().map((agent) => agent.name),
      })),
    )
    return context.json({ agents })
  }

  async #start(context: Context): Promise<Response> {
    const { thread, runs, role } = await this.#entered(context)
    const body = await readBody(context, startBody)
    const { agent } = body
    const served = runs ?? this.#runsWith(agent)
    if (!served) throw new AgentError('unknown_agent', `Cannot ask "${agent}": no such agent here`)
    const actor = this.#parts.access.actor(context)
    const request = { ...body, ...(actor === undefined ? {} : { actor }) }
    return this.#taken(context, { thread, role, body }, (key) =>
      served.start(thread, { ...request, ...key }),
    )
  }

  async #resume(context: Context): Promise<Response> {
    const { thread, role, run, runs } = await this.#running(context)
    const body = await readBody(context, resumeBody)
    // A strict parser has read it: it is JSON.
    const values = body.values as Readonly<Record<string, Json>>
    return this.#taken(context, { thread, role, body: { values } }, (key) =>
      runs.resume(thread, { run, values, ...key }),
    )
  }

  async #cancel(context: Context): Promise<Response> {
    const { thread, role, application } = await this.#parts.entry.enter(context)
    const { cancelling } = application
    if (role !== 'operator' && !cancelling?.roles.includes(role)) throw notFound('thread')
    const run = context.req.param('runId') ?? ''
    const only = role === 'operator' ? {} : { surface: role }
    const cancelled = await cancelling?.cancel(thread, { run, by: role, ...only })
    if (cancelled) return context.json({ runId: run }, 202)
    const detail = `Cannot cancel run ${run}: it does not run`
    throw new ProblemError('not_running', 409, { detail })
  }

  async #reset(context: Context): Promise<Response> {
    const { thread, runs } = await this.#running(context)
    await runs.resetHistory(thread)
    return context.json({ thread }, 200)
  }

  /** Answers once the start is on record; what comes of it is in the thread. */
  async #taken(
    context: Context,
    request: { readonly thread: string; readonly role: string; readonly body: unknown },
    take: (key: { readonly key?: string }) => TakenTurn,
  ): Promise<Response> {
    const key = idempotencyKey(context.req.header('idempotency-key'))
    const { pathname } = new URL(context.req.url)
    const principal = `${request.role}:${pathname}`
    const { thread, body } = request
    const runId = await this.#keyed.once({ principal, key, body }, async () => {
      const turn = take(key === undefined ? {} : { key: `${principal}:${key}` })
      turn.result.catch((error: unknown) => this.#report(thread, error))
      await turn.started
      return turn.run
    })
    return context.json({ runId }, 202)
  }

  #report(thread: string, error: unknown): void {
    // What was refused has been answered; only what died in the middle has nobody else to tell.
    if (error instanceof AgentError) return
    this.#parts.logger.error({ err: error, thread }, 'a turn died')
  }

  /** A thread that exists lets in whom it knows; one that does not yet is the operator's to begin. */
  async #entered(context: Context) {
    const { entry, access } = this.#parts
    const thread = context.req.param('id') ?? ''
    const owner = await entry.ownerOf(thread)
    if (!owner) {
      await access.requireOperatorIn(context, thread)
      return { thread, role: 'operator', runs: undefined }
    }
    const { role, application } = await entry.enter(context, [])
    return { thread, role, runs: application.runs ?? NOTHING_SERVED }
  }

  async #running(context: Context) {
    const { entry } = this.#parts
    const { thread, role, application } = await entry.enter(context, [])
    const run = context.req.param('runId') ?? ''
    return { thread, role, run, runs: application.runs ?? NOTHING_SERVED }
  }

  #runsWith(agent: string): Application['runs'] {
    return this.#parts.applications.find(({ runs }) =>
      runs?.agents.some(({ name }) => name === agent),
    )?.runs
  }
}

/** What an application without agents answers. */
const NOTHING_SERVED: NonNullable<Application['runs']> = {
  agents: [],
  start(_thread, { agent }) {
    throw new AgentError('unknown_agent', `Cannot ask "${agent}": no such agent here`)
  },
  resume(thread, { run }) {
    throw new AgentError(
      'not_waiting',
      `Cannot resume run ${run} in "${thread}": it waits for nothing`,
    )
  },
  resetHistory: (thread) =>
    Promise.reject(
      new AgentError('unknown_agent', `Cannot reset "${thread}": no agents work in it`),
    ),
}
