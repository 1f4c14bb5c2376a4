import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { z } from 'zod'
import { ERASURE_TEXT_MAX, THREADS_LISTED_MAX } from '../../application/index.ts'
import { stableId } from '../../gate/index.ts'
import type { Commit } from '../../gate/index.ts'
import type { LogRecord } from '../../log/index.ts'
import { sha256 } from '../../platform/index.ts'
import { textOf } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import type { Access } from '../access/access.ts'
import { wholeNumber } from '../streams/cursor.ts'
import { answerExport } from './export-answer.ts'
import { bundleThread, verifyThread } from './evidence-routes.ts'
import { HISTORY_ROUTES, mountHistoryRoutes } from './history-routes.ts'
import { idempotencyKey, bodyDigest } from './keyed-requests.ts'
import { ProblemError, problemOf } from '../problems/problem.ts'
import { once, proposedEvent, readBody } from './request-body.ts'
import { JSON_TYPE, POSITION, STREAM } from './route-description.ts'
import type { RouteDescriptions } from './route-description.ts'
import type { RouteParts } from './route-parts.ts'
import { streamEnd } from './reveal.ts'
import { SEARCH_FOUND_MAX, searchThreads } from './search-route.ts'
import { StoreVerification, VERIFIED_THREADS_MAX } from './store-verification.ts'
import { requireOperatorRole, requirePermission } from './thread-entry.ts'
import type { Entered } from './thread-entry.ts'
import { RECORDS_MAX, threadEvents } from './thread-events.ts'
import { countThreads, listThreads } from './thread-list-route.ts'

/** Events that one request may propose. */
export const PROPOSALS_MAX = 50

const proposeBody = z.strictObject({
  events: z.array(proposedEvent).min(1).max(PROPOSALS_MAX),
  expectedVersion: z.int().min(-1).optional(),
})

const eraseBody = z.strictObject({ why: z.string().trim().min(1).max(ERASURE_TEXT_MAX) })

const LIST = { app: 'text', after: 'text', orderBy: 'text', since: 'text' } as const

export const THREAD_ROUTES: RouteDescriptions = {
  'GET /api/threads': {
    summary: 'Lists the threads that the sender may enter. Each name of an index may be given too',
    query: { ...LIST, limit: { min: 1, max: THREADS_LISTED_MAX } },
  },
  'GET /api/threads/count': { summary: 'Counts them', query: LIST },
  'GET /api/search': {
    summary: 'Searches the records of the threads that the sender may enter',
    query: { q: 'text', app: 'text', after: 'text', limit: { min: 1, max: SEARCH_FOUND_MAX } },
  },
  'GET /api/verify': {
    summary: 'Verifies the chains and heads of the store, page by page',
    query: { from: POSITION, limit: { min: 1, max: VERIFIED_THREADS_MAX } },
  },
  'GET /api/threads/:id/events': {
    summary: 'The records of a thread, as a list or a stream',
    query: {
      after: 'text',
      epoch: 'text',
      view: 'text',
      state: { min: 0, max: 1 },
      depth: 'text',
      reveal: 'text',
      limit: { min: 1, max: RECORDS_MAX },
    },
    answers: [JSON_TYPE, STREAM],
  },
  'POST /api/threads/:id/events': { summary: 'Proposes events', body: proposeBody },
  'GET /api/threads/:id/state': {
    summary: 'The state of a thread, now or at a record',
    query: { at: POSITION, reveal: 'text' },
  },
  'GET /api/threads/:id/verify': { summary: 'Verifies the chain and the head of a thread' },
  'GET /api/threads/:id/export': {
    summary: 'All records of a thread, as JSON lines or CSV',
    query: { format: 'text', reveal: 'text' },
    answers: ['application/x-ndjson', 'text/csv'],
  },
  'GET /api/threads/:id/bundle': {
    summary: 'One file that an auditor verifies without the server',
    query: { reveal: 'text' },
    answers: ['application/octet-stream'],
  },
  'POST /api/threads/:id/erase': { summary: 'Erases the person of a thread', body: eraseBody },
  ...HISTORY_ROUTES,
}

export function mountThreadRoutes(app: Hono, parts: RouteParts): void {
  app.get('/api/threads', (context) => listThreads(context, parts))
  app.get('/api/threads/count', (context) => countThreads(context, parts))
  app.get('/api/search', (context) => searchThreads(context, parts))
  const verification = new StoreVerification(parts.throughline.log)
  app.get('/api/verify', async (context) => {
    await parts.access.requireOperator(context)
    return verification.answer(context)
  })
  const thread = new Hono<{ Bindings: HttpBindings }>()
  thread.get('/events', (context) => showEvents(context, parts))
  thread.post('/events', (context) => propose(context, parts))
  thread.get('/state', (context) => showState(context, parts))
  thread.get('/verify', (context) => verifyThread(context, parts))
  thread.get('/export', (context) => exportThread(context, parts))
  thread.get('/bundle', (context) => bundleThread(context, parts))
  mountHistoryRoutes(thread, parts)
  thread.post('/erase', (context) => eraseThread(context, parts))
  app.route('/api/threads/:id', thread)
}

async function showEvents(
  context: Context<{ Bindings: HttpBindings }>,
  parts: RouteParts,
): Promise<Response> {
  const entered = await enteredUnlessAbsent(context, parts)
  // A browser reports each 404 in its console, also of a page whose first request begins the thread.
  if (!entered) return context.body(null, 204, { 'cache-control': 'no-store' })
  const { thread, owner, entrant, view } = entered
  const afterTurn = () => parts.carried(owner, thread)
  const access: Pick<Access, 'untilEnded'> = {
    untilEnded: (_entrant, answer) => streamEnd(parts.access, entered, answer),
  }
  const read = { ...parts, access, log: parts.throughline.log }
  const { epoch } = read.log
  const erasedAt = await owner.erasedAt(thread)
  // Whoever was shown the person before must show what is left.
  const history = erasedAt === undefined ? { epoch } : { epoch: `${epoch}.erased`, erasedAt }
  const subject = { thread, entrant, view: { ...view, afterTurn }, history }
  return threadEvents(context, read, subject)
}

/** Nothing for a thread that is not there, where the request wants 204 instead of 404 for it. */
async function enteredUnlessAbsent(
  context: Context,
  { entry }: RouteParts,
): Promise<Entered | undefined> {
  try {
    return await entry.enter(context)
  } catch (error) {
    const isAbsent = error instanceof ProblemError && error.code === 'not_found'
    if (isAbsent && context.req.header('throughline-absent') === '204') return undefined
    throw error
  }
}

async function propose(context: Context, parts: RouteParts): Promise<Response> {
  const key = idempotencyKey(context.req.header('idempotency-key'))
  const reading = once(() => readBody(context, proposeBody))
  const entered = await parts.entry.enter(context, async () => ({
    type: (await reading()).events[0]?.type ?? '',
  }))
  parts.quotas.takeProposal(entered.entrant)
  const body = await reading()
  const { thread, owner, principal: whose, as } = entered
  const types = body.events.map(({ type }) => type)
  requirePermission(entered, 'propose', types)
  const idOf = (part: string) =>
    key === undefined ? undefined : stableId(thread, whose, key, part)
  const events = body.events.map(({ id, type, data }, index) => ({
    id: id ?? idOf(String(index)),
    type,
    data,
  }))
  const requestId = idOf('request')
  const expectedVersion = body.expectedVersion ?? (entered.begins ? -1 : undefined)
  const options = {
    as,
    ...(expectedVersion === undefined ? {} : { expectedVersion }),
    ...(requestId === undefined ? {} : { request: { id: requestId, digest: bodyDigest(body) } }),
  }
  const done = await owner.propose(thread, events, options)
  return context.json(await answerTo(context, parts, { entered, types, done }))
}

/** Returns the sender's view of its proposals. They are on record: a view that fails undoes nothing. */
async function answerTo(
  context: Context,
  parts: RouteParts,
  { entered, types, done }: Proposed,
): Promise<JsonObject> {
  const { thread, owner, view, as } = entered
  const records = [...done.answers.map(({ record }) => record), ...done.derived]
  const ownOf = (record: LogRecord) => (isBy(as, record) ? record : undefined)
  // Of the refusal of another's proposal with the same id the sender reads what its view shows.
  const refusedIn = (shown: (record: LogRecord) => LogRecord | undefined) =>
    done.answers.flatMap(({ record, refusal }, index) => {
      const data = refusal && shown(record)?.data
      if (data === undefined) return []
      const [reason, detail] = [textOf(data, 'reason'), textOf(data, 'detail')]
      return [{ type: types[index], reason, detail }]
    })
  try {
    return {
      // Records are JSON.
      records: records.flatMap((record) => view.record(record) ?? []) as unknown as Json,
      refused: refusedIn((record) => ownOf(record) ?? view.record(record)),
      head: done.head,
      state: (await view.state(thread)).state,
      ...(await parts.carried(owner, thread))?.data,
    }
  } catch (error) {
    parts.logger.error({ err: error }, 'an answer could not be shown')
    parts.onFault?.(error, context.req.raw)
    const { code, message: detail } = problemOf(error)
    const own = done.answers.flatMap(({ record }) => ownOf(record) ?? [])
    const recorded = own.map(({ id, seq, type }) => ({ id, seq, type }))
    return { recorded, refused: refusedIn(ownOf), head: done.head, fault: { code, detail } }
  }
}

async function showState(context: Context, parts: RouteParts): Promise<Response> {
  const { thread, view, entrant } = await parts.entry.enter(context)
  const at = wholeNumber(context, 'at', { min: 0, max: await parts.throughline.log.head(thread) })
  const read = () => view.state(thread, at)
  const isLong = at !== undefined || view.isTraced
  const { seq, state } = await (isLong ? parts.quotas.read(entrant, read) : read())
  return context.json({ seq, state, hash: sha256(JSON.stringify(state)) })
}

async function exportThread(context: Context, parts: RouteParts): Promise<Response> {
  const { thread, view, entrant } = await parts.entry.enter(context)
  const format = context.req.query('format') ?? 'jsonl'
  if (format !== 'jsonl' && format !== 'csv') {
    const detail = `Cannot export as "${format}": use "jsonl" or "csv"`
    throw new ProblemError('invalid_query', 400, { detail })
  }
  return answerExport(context, {
    format,
    records: parts.throughline.exported(thread),
    view,
    release: parts.quotas.holdRead(entrant),
    failed: (error) => {
      parts.logger.error({ err: error }, 'an export broke off')
      parts.onFault?.(error, context.req.raw)
    },
  })
}

async function eraseThread(context: Context, parts: RouteParts): Promise<Response> {
  const entered = await parts.entry.enter(context)
  requireOperatorRole(entered)
  parts.quotas.takeProposal(entered.entrant)
  const { why } = await readBody(context, eraseBody)
  const { thread, as, role } = entered
  const erased = await parts.throughline.erase(thread, { by: as.actor ?? role, why })
  return context.json({ erased })
}

interface Proposed {
  readonly entered: Entered
  readonly types: readonly string[]
  readonly done: Pick<Commit<unknown>, 'answers' | 'derived' | 'head'>
}

/** Returns whether the sender proposed a record: then the answer has its outcome, even if the view hides it. */
function isBy({ source, surface, actor }: Entered['as'], { origin }: LogRecord): boolean {
  return origin.source === source && origin.surface === surface && origin.actor === actor
}
