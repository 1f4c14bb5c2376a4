import type { HttpBindings } from '@hono/node-server'
import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import type { Context } from 'hono'
import type { Logger } from 'pino'
import { z } from 'zod'
import { stableId } from '../gate/index.ts'
import type { Commit, KeyedRequest } from '../gate/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import type { OpenedApp, Throughline } from '../application/index.ts'
import type { Access } from './access.ts'
import { wholeNumber } from './cursor.ts'
import { EventStreams } from './event-stream.ts'
import { answerExport } from './export-answer.ts'
import { idempotencyKey, requestDigest } from './keyed-requests.ts'
import { ProblemError, problemOf } from './problem.ts'
import type { Quotas } from './quotas.ts'
import { once, proposedEvent, readBody } from './request-body.ts'
import { StoreVerification } from './store-verification.ts'
import { requirePermission } from './thread-entry.ts'
import type { Entered, ThreadEntry } from './thread-entry.ts'
import { threadEvents } from './thread-events.ts'
import { listThreads } from './thread-list-route.ts'

/** Events that one request may propose. */
export const PROPOSALS_MAX = 50

const proposeBody = z.strictObject({
  events: z.array(proposedEvent).min(1).max(PROPOSALS_MAX),
  expectedVersion: z.int().min(-1).optional(),
})

/** What a thread's application adds to answers and streams, under its name. */
export type Carried = (
  owner: OpenedApp,
  thread: string,
) => Promise<{ readonly event: string; readonly data: JsonObject } | undefined>

export interface ThreadRouteParts {
  readonly throughline: Throughline
  readonly access: Access
  readonly entry: ThreadEntry
  readonly quotas: Quotas
  readonly logger: Logger
  readonly onFault?: ((error: unknown, request: Request) => void) | undefined
  readonly carried: Carried
}

/** The routes that threads of every application share. */
export class ThreadRoutes {
  readonly streams: EventStreams
  readonly #parts: ThreadRouteParts
  readonly #log: EventLog

  constructor(parts: ThreadRouteParts) {
    this.#parts = parts
    this.#log = parts.throughline.log
    const failed = (error: unknown) => parts.logger.error({ err: error }, 'a stream broke off')
    this.streams = new EventStreams(this.#log, { failed })
  }

  mount(app: Hono): void {
    app.get('/api/threads', (context) => listThreads(context, this.#parts))
    const verification = new StoreVerification(this.#log)
    app.get('/api/verify', async (context) => {
      await this.#parts.access.requireOperator(context)
      return verification.answer(context)
    })
    const thread = new Hono<{ Bindings: HttpBindings }>()
    thread.get('/events', (context) => this.#events(context))
    thread.post('/events', (context) => this.#propose(context))
    thread.get('/state', (context) => this.#state(context))
    thread.get('/verify', (context) => this.#verify(context))
    thread.get('/export', (context) => this.#export(context))
    app.route('/api/threads/:id', thread)
  }

  async #events(context: Context<{ Bindings: HttpBindings }>): Promise<Response> {
    const { thread, owner, entrant, view } = await this.#parts.entry.enter(context)
    const parts = { ...this.#parts, log: this.#log, streams: this.streams }
    const afterTurn = () => this.#parts.carried(owner, thread)
    return threadEvents(context, parts, { thread, entrant, view: { ...view, afterTurn } })
  }

  async #propose(context: Context): Promise<Response> {
    const key = idempotencyKey(context.req.header('idempotency-key'))
    const reading = once(() => readBody(context, proposeBody))
    const entered = await this.#parts.entry.enter(context, async () => ({
      type: (await reading()).events[0]?.type ?? '',
    }))
    const body = await reading()
    const { thread, owner, principal: whose, as } = entered
    const types = body.events.map(({ type }) => type)
    requirePermission(entered, 'propose', types)
    this.#parts.quotas.takeProposal(entered.entrant)
    const events = body.events.map(({ id, type, data }, index) => ({
      id: id ?? (key === undefined ? undefined : stableId(thread, whose, key, String(index))),
      type,
      data,
    }))
    const { expectedVersion } = body
    const options = {
      as,
      ...(expectedVersion === undefined ? {} : { expectedVersion }),
      ...(key === undefined ? {} : { request: keyedRequest({ thread, whose, key }, body) }),
    }
    const done = await owner.propose(thread, events, options)
    return context.json(await this.#answerTo(context, { entered, types, done }))
  }

  /** What the sender of proposals may see of them. They are on record: a view that fails undoes nothing. */
  async #answerTo(context: Context, { entered, types, done }: Proposed): Promise<JsonObject> {
    const { thread, owner, view, as } = entered
    const records = [...done.answers.map(({ record }) => record), ...done.derived]
    const isOwn = (record: LogRecord) => isBy(as, record)
    const refusedTo = (maySee: (record: LogRecord) => boolean) =>
      done.answers.flatMap(({ record, refusal }, index) =>
        refusal && maySee(record)
          ? [{ type: types[index], reason: refusal.refused, detail: refusal.detail }]
          : [],
      )
    try {
      return {
        // Records are JSON.
        records: records.flatMap((record) => view.record(record) ?? []) as unknown as Json,
        refused: refusedTo((record) => isOwn(record) || view.record(record) !== undefined),
        head: done.head,
        state: (await view.state(thread)).state,
        ...(await this.#parts.carried(owner, thread))?.data,
      }
    } catch (error) {
      this.#parts.logger.error({ err: error }, 'an answer could not be shown')
      this.#parts.onFault?.(error, context.req.raw)
      const { code, message: detail } = problemOf(error)
      const own = done.answers.filter(({ record }) => isOwn(record))
      const recorded = own.map(({ record: { id, seq, type } }) => ({ id, seq, type }))
      return { recorded, refused: refusedTo(isOwn), head: done.head, fault: { code, detail } }
    }
  }

  async #state(context: Context): Promise<Response> {
    const { thread, view, entrant } = await this.#parts.entry.enter(context)
    const at = wholeNumber(context, 'at', { min: 0, max: await this.#log.head(thread) })
    const read = () => view.state(thread, at)
    const isLong = at !== undefined
    const { seq, state } = await (isLong ? this.#parts.quotas.read(entrant, read) : read())
    const hash = createHash('sha256').update(JSON.stringify(state)).digest('hex')
    return context.json({ seq, state, hash })
  }

  async #verify(context: Context): Promise<Response> {
    const { thread, entrant } = await this.#parts.entry.enter(context)
    const verify = () => this.#parts.throughline.verify(thread)
    return context.json(await this.#parts.quotas.read(entrant, verify))
  }

  async #export(context: Context): Promise<Response> {
    const { thread, view, entrant } = await this.#parts.entry.enter(context)
    const format = context.req.query('format') ?? 'jsonl'
    if (format !== 'jsonl' && format !== 'csv') {
      const detail = `Cannot export as "${format}": use "jsonl" or "csv"`
      throw new ProblemError('invalid_query', 400, { detail })
    }
    return answerExport(context, {
      format,
      records: this.#log.read(thread),
      view,
      release: this.#parts.quotas.holdRead(entrant),
      failed: (error) => {
        this.#parts.logger.error({ err: error }, 'an export broke off')
        this.#parts.onFault?.(error, context.req.raw)
      },
    })
  }
}

/** A request to propose, and its records. */
interface Proposed {
  readonly entered: Entered
  /** As they were asked for. */
  readonly types: readonly string[]
  readonly done: Pick<Commit<unknown>, 'answers' | 'derived' | 'head'>
}

/** Whose a record is: what became of one's own proposal is an answer, also where the view hides its record. */
function isBy({ source, surface, actor }: Entered['as'], { origin }: LogRecord): boolean {
  return origin.source === source && origin.surface === surface && origin.actor === actor
}

function keyedRequest(
  { thread, whose, key }: Record<'thread' | 'whose' | 'key', string>,
  body: unknown,
): KeyedRequest {
  return { id: stableId(thread, whose, key, 'request'), digest: requestDigest(body) }
}
