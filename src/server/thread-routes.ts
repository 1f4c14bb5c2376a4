import type { HttpBindings } from '@hono/node-server'
import { createHash, randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import type { Logger } from 'pino'
import { z } from 'zod'
import { stableId } from '../gate/index.ts'
import type { View } from '../faces/index.ts'
import { Pace } from '../thread/index.ts'
import type { KeyedRequest } from '../gate/index.ts'
import type { EventLog } from '../log/index.ts'
import type { Access, Entrant } from './access.ts'
import type { ThreadFace } from './application.ts'
import { wholeNumber } from './cursor.ts'
import { EventStreams } from './event-stream.ts'
import { EXPORT_TYPES, exportHeader, exportLine } from './export.ts'
import { KeyedRequests, idempotencyKey, requestDigest } from './keyed-requests.ts'
import { ProblemError } from './problem.ts'
import type { Quotas } from './quotas.ts'
import { proposedEvent, readBody } from './request-body.ts'
import { StoreVerification } from './store-verification.ts'
import type { ThreadEntry } from './thread-entry.ts'
import { threadEvents } from './thread-events.ts'
import type { Role } from './tokens.ts'

export const THREADS_PAGE_MAX = 1_000
/** Events that one request may propose. */
export const PROPOSALS_MAX = 50

const WRITERS: readonly Role[] = ['customer', 'installer']

const proposeBody = z.strictObject({
  events: z.array(proposedEvent).min(1).max(PROPOSALS_MAX),
  expectedVersion: z.int().min(-1).optional(),
})

export interface ThreadRouteParts {
  readonly log: EventLog
  readonly access: Access
  readonly entry: ThreadEntry
  readonly quotas: Quotas
  readonly logger: Logger
}

/** The routes that threads of every application share. */
export class ThreadRoutes {
  readonly streams: EventStreams
  readonly #parts: ThreadRouteParts
  readonly #keyed = new KeyedRequests()

  constructor(parts: ThreadRouteParts) {
    this.#parts = parts
    const failed = (error: unknown): void =>
      parts.logger.error({ err: error }, 'a stream broke off')
    this.streams = new EventStreams(parts.log, { failed })
  }

  mount(app: Hono): void {
    app.get('/api/threads', (context) => this.#list(context))
    const verification = new StoreVerification(this.#parts.log)
    app.get('/api/verify', async (context) => {
      await this.#parts.access.requireOperator(context)
      return verification.answer(context)
    })
    const thread = new Hono<{ Bindings: HttpBindings }>()
    thread.get('/events', (context) => this.#events(context))
    thread.post('/events', (context) => this.#propose(context))
    thread.post('/opened', (context) => this.#opened(context))
    thread.get('/state', (context) => this.#state(context))
    thread.get('/verify', (context) => this.#verify(context))
    thread.get('/export', (context) => this.#export(context))
    app.route('/api/threads/:id', thread)
  }

  async #list(context: Context): Promise<Response> {
    await this.#parts.access.requireOperator(context)
    const limit = wholeNumber(context, 'limit', { min: 1, max: THREADS_PAGE_MAX }) ?? 100
    const from = wholeNumber(context, 'from', { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? 0
    const all = await this.#parts.log.threads()
    const page = all.slice(from, from + limit)
    const threads = await Promise.all(
      page.map(async (thread) => ({ thread, head: await this.#parts.log.head(thread) })),
    )
    const next = from + page.length
    return context.json({ threads, ...(next < all.length ? { next } : {}) })
  }

  async #events(context: Context<{ Bindings: HttpBindings }>): Promise<Response> {
    const { thread, face, role, entrant } = await this.#enter(context)
    const parts = { ...this.#parts, streams: this.streams }
    return threadEvents(context, parts, { thread, entrant, view: viewOf(face, role) })
  }

  async #propose(context: Context): Promise<Response> {
    const { thread, face, role } = await this.#enter(context, WRITERS)
    const key = idempotencyKey(context.req.header('idempotency-key'))
    const body = await readBody(context, proposeBody)
    const events = body.events.map(({ id, type, data }, index) => ({
      id: id ?? (key === undefined ? randomUUID() : stableId(thread, role, key, String(index))),
      type,
      data,
    }))
    const { expectedVersion } = body
    const actor = this.#parts.access.actor(context)
    const options = {
      role,
      ...(actor === undefined ? {} : { actor }),
      ...(expectedVersion === undefined ? {} : { expectedVersion }),
      ...(key === undefined ? {} : { request: keyedRequest({ thread, role, key }, body) }),
    }
    const principal = `${role}:${thread}`
    const done = await this.#keyed.once({ principal, key, body }, () =>
      face.commit(thread, events, options),
    )
    const records = [...done.answers.map(({ record }) => record), ...done.derived]
    return context.json({
      records: records.flatMap((record) => face.record(record, role) ?? []),
      refused: done.answers.flatMap(({ refusal }, index) =>
        refusal
          ? [{ type: events[index]?.type, reason: refusal.refused, detail: refusal.detail }]
          : [],
      ),
      head: done.head,
      state: (await face.state(thread, role)).state,
      ...(await face.answerMembers?.(thread)),
    })
  }

  /** An empty thread is answered as well: its case may still come from a recovery seed. */
  async #opened(context: Context): Promise<Response> {
    await readBody(context, z.strictObject({}))
    await this.#parts.access.openPage(context, context.req.param('id') ?? '')
    return context.json({})
  }

  async #state(context: Context): Promise<Response> {
    const { thread, face, role, entrant } = await this.#enter(context)
    const { log, quotas } = this.#parts
    const head = await log.head(thread)
    const at = wholeNumber(context, 'at', { min: 0, max: head })
    const read = () => face.state(thread, role, at)
    const { seq, state } = await (at === undefined ? read() : quotas.read(entrant, read))
    const hash = createHash('sha256').update(JSON.stringify(state)).digest('hex')
    return context.json({ seq, state, hash })
  }

  async #verify(context: Context): Promise<Response> {
    const { thread, entrant } = await this.#enter(context)
    const { log, quotas } = this.#parts
    return context.json(await quotas.read(entrant, () => log.verify(thread)))
  }

  async #export(context: Context): Promise<Response> {
    const { thread, face, role, entrant } = await this.#enter(context)
    const format = context.req.query('format') ?? 'jsonl'
    if (format !== 'jsonl' && format !== 'csv') {
      const detail = `Cannot export as "${format}": use "jsonl" or "csv"`
      throw new ProblemError('invalid_query', 400, { detail })
    }
    const release = this.#parts.quotas.holdRead(entrant)
    context.header('content-type', EXPORT_TYPES[format])
    context.header('content-disposition', `attachment; filename="thread.${format}"`)
    return stream(context, async (output) => {
      try {
        await output.write(exportHeader(format))
        const pace = new Pace()
        for await (const batch of this.#parts.log.read(thread)) {
          if (output.aborted) break
          const visible = batch.flatMap((record) => face.record(record, role) ?? [])
          await output.write(visible.map((record) => exportLine(format, record)).join(''))
          await pace.rest()
        }
      } finally {
        release()
      }
    })
  }

  async #enter(
    context: Context,
    among?: readonly Role[],
  ): Promise<{ thread: string; face: ThreadFace; role: Role; entrant: Entrant }> {
    const { application, ...entered } = await this.#parts.entry.enter(context, among)
    return { ...entered, face: application.face }
  }
}

/** What a role may see of an application's threads. */
function viewOf(face: ThreadFace, role: Role): View {
  return {
    role,
    whole: face.whole?.includes(role) ?? false,
    record: (record) => face.record(record, role),
    state: (thread, at) => face.state(thread, role, at),
  }
}

function keyedRequest(
  { thread, role, key }: { readonly thread: string; readonly role: Role; readonly key: string },
  body: unknown,
): KeyedRequest {
  return { id: stableId(thread, role, key, 'request'), digest: requestDigest(body) }
}
