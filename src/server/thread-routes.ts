import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { HttpBindings } from '@hono/node-server'
import { createHash, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { CallerEvent } from '../activity/index.ts'
import { stableId } from '../gate/index.ts'
import { Pace } from '../thread/index.ts'
import type { KeyedRequest } from '../gate/index.ts'
import type { EventLog } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import type { OpenedApp, Throughline, View } from '../application/index.ts'
import type { Access } from './access.ts'
import { CallerReader } from './caller-frames.ts'
import { cursorOf, epochOf, wholeNumber } from './cursor.ts'
import { EventStreams } from './event-stream.ts'
import { EXPORT_TYPES, exportHeader, exportLine } from './export.ts'
import { jsonList } from './json-list.ts'
import { KeyedRequests, idempotencyKey, requestDigest } from './keyed-requests.ts'
import { ProblemError } from './problem.ts'
import type { Quotas } from './quotas.ts'
import { once, proposedEvent, readBody } from './request-body.ts'
import { StoreVerification } from './store-verification.ts'
import { requirePermission } from './thread-entry.ts'
import type { ThreadEntry } from './thread-entry.ts'
import { listThreads } from './thread-list-route.ts'

export const RECORDS_DEFAULT = 1_000
export const RECORDS_MAX = 10_000
/** Events that one request may propose. */
export const PROPOSALS_MAX = 50

/** The deepest runs that a reader can ask for; deeper ones are always shown with no depth given. */
const DEPTH_MAX = 1_000

const proposeBody = z.strictObject({
  events: z.array(proposedEvent).min(1).max(PROPOSALS_MAX),
  expectedVersion: z.int().min(-1).optional(),
})

export interface ThreadRouteParts {
  readonly throughline: Throughline
  readonly access: Access
  readonly entry: ThreadEntry
  readonly quotas: Quotas
  readonly logger: Logger
  /** What applications add to the answer to proposed events. */
  readonly answerMembers: (
    owner: OpenedApp,
    thread: string,
  ) => Promise<Readonly<Record<string, Json>>>
}

/** The routes that threads of every application share. */
export class ThreadRoutes {
  readonly streams: EventStreams
  readonly #parts: ThreadRouteParts
  readonly #log: EventLog
  readonly #keyed = new KeyedRequests()

  constructor(parts: ThreadRouteParts) {
    this.#parts = parts
    this.#log = parts.throughline.log
    const failed = (error: unknown): void =>
      parts.logger.error({ err: error }, 'a stream broke off')
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
    const { thread, view, entrant } = await this.#parts.entry.enter(context)
    const after = cursorOf(context)
    const { access, quotas } = this.#parts
    const caller = callerReader(context, { thread, view })
    // To HEAD a stream would be an answer that never ends.
    const { method } = context.req
    if (method === 'GET' && context.req.header('accept')?.includes('text/event-stream')) {
      const { outgoing } = context.env
      const release = quotas.holdStream(entrant)
      if (outgoing.closed) release()
      else outgoing.once('close', release)
      const epoch = epochOf(context)
      const request = {
        thread,
        view,
        after,
        until: await access.untilEnded(entrant, whenClosed(outgoing)),
        ...(epoch === undefined ? {} : { epoch }),
        ...(caller ? { caller } : {}),
      }
      await this.streams.open(outgoing, request)
      return RESPONSE_ALREADY_SENT
    }
    const limit = wholeNumber(context, 'limit', { min: 1, max: RECORDS_MAX }) ?? RECORDS_DEFAULT
    return quotas.read(entrant, () =>
      caller
        ? this.#callerEvents(context, caller, { thread, after, limit })
        : this.#records(context, { thread, view, after, limit }),
    )
  }

  async #records(
    context: Context,
    { thread, view, after, limit }: RecordsRequest,
  ): Promise<Response> {
    const log = this.#log
    const pace = new Pace()
    // Counted in visible records, so that a page that is not full has reached the head.
    const texts: string[] = []
    for await (const batch of log.read(thread, { after })) {
      const visible = batch.flatMap((record) => view.record(record) ?? [])
      texts.push(...visible.map((record) => JSON.stringify(record)))
      if (texts.length >= limit) break
      await pace.rest()
    }
    const rest = { head: await log.head(thread), epoch: log.epoch }
    return jsonList(context, { name: 'records', texts: texts.slice(0, limit), rest })
  }

  /** Counted in records, of which one may give several events. */
  async #callerEvents(
    context: Context,
    caller: CallerReader,
    { thread, after, limit }: { thread: string; after: number; limit: number },
  ): Promise<Response> {
    const log = this.#log
    await caller.catchUp(log, after)
    const events: CallerEvent[] = []
    let next = after
    for await (const records of log.read(thread, { after, limit })) {
      events.push(...records.flatMap((record) => caller.eventsOf(record)))
      next = records.at(-1)?.seq ?? next
    }
    return context.json({ events, next, head: await log.head(thread), epoch: log.epoch })
  }

  async #propose(context: Context): Promise<Response> {
    const key = idempotencyKey(context.req.header('idempotency-key'))
    const reading = once(() => readBody(context, proposeBody))
    const entered = await this.#parts.entry.enter(context, async () => ({
      type: (await reading()).events[0]?.type ?? '',
    }))
    const body = await reading()
    const { thread, owner, principal: whose, view, as } = entered
    requirePermission(
      entered,
      'propose',
      body.events.map(({ type }) => type),
    )
    const events = body.events.map(({ id, type, data }, index) => ({
      id: id ?? (key === undefined ? randomUUID() : stableId(thread, whose, key, String(index))),
      type,
      data,
    }))
    const { expectedVersion } = body
    const options = {
      as,
      ...(expectedVersion === undefined ? {} : { expectedVersion }),
      ...(key === undefined ? {} : { request: keyedRequest({ thread, whose, key }, body) }),
    }
    const principal = `${whose}:${thread}`
    const done = await this.#keyed.once({ principal, key, body }, () =>
      owner.propose(thread, events, options),
    )
    const records = [...done.answers.map(({ record }) => record), ...done.derived]
    return context.json({
      records: records.flatMap((record) => view.record(record) ?? []),
      refused: done.answers.flatMap(({ refusal }, index) =>
        refusal
          ? [{ type: events[index]?.type, reason: refusal.refused, detail: refusal.detail }]
          : [],
      ),
      head: done.head,
      state: (await view.state(thread)).state,
      ...(await this.#parts.answerMembers(owner, thread)),
    })
  }

  async #state(context: Context): Promise<Response> {
    const { thread, view, entrant } = await this.#parts.entry.enter(context)
    const { quotas } = this.#parts
    const log = this.#log
    const head = await log.head(thread)
    const at = wholeNumber(context, 'at', { min: 0, max: head })
    const read = () => view.state(thread, at)
    const { seq, state } = await (at === undefined ? read() : quotas.read(entrant, read))
    const hash = createHash('sha256').update(JSON.stringify(state)).digest('hex')
    return context.json({ seq, state, hash })
  }

  async #verify(context: Context): Promise<Response> {
    const { thread, entrant } = await this.#parts.entry.enter(context)
    const { quotas } = this.#parts
    const log = this.#log
    return context.json(await quotas.read(entrant, () => log.verify(thread)))
  }

  async #export(context: Context): Promise<Response> {
    const { thread, view, entrant } = await this.#parts.entry.enter(context)
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
        for await (const batch of this.#log.read(thread)) {
          if (output.aborted) break
          const visible = batch.flatMap((record) => view.record(record) ?? [])
          await output.write(visible.map((record) => exportLine(format, record)).join(''))
          await pace.rest()
        }
      } finally {
        release()
      }
    })
  }
}

interface RecordsRequest {
  readonly thread: string
  readonly view: View
  readonly after: number
  readonly limit: number
}

/** @throws {@link ProblemError} `invalid_query` */
function callerReader(
  context: Context,
  reading: { readonly thread: string; readonly view: View },
): CallerReader | undefined {
  const view = context.req.query('view') ?? 'records'
  const depthMax = wholeNumber(context, 'depth', { min: 0, max: DEPTH_MAX }) ?? DEPTH_MAX
  if (view === 'agent') return new CallerReader({ ...reading, depthMax })
  if (view === 'records') return undefined
  const detail = `Cannot show the view "${view}": use "records" or "agent"`
  throw new ProblemError('invalid_query', 400, { detail })
}

function keyedRequest(
  { thread, whose, key }: Record<'thread' | 'whose' | 'key', string>,
  body: unknown,
): KeyedRequest {
  return { id: stableId(thread, whose, key, 'request'), digest: requestDigest(body) }
}

/** Calls back once a response has closed, at once if it has. */
function whenClosed(response: ServerResponse): (release: () => void) => void {
  return (release) => {
    if (response.closed) release()
    else response.once('close', release)
  }
}
