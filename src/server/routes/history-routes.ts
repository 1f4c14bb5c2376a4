import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { Provenance, StateChanges } from '../../faces/index.ts'
import { Pace } from '../../thread/index.ts'
import { ProblemError } from '../problems/problem.ts'
import { singleText, wholeNumber } from '../streams/cursor.ts'
import { POSITION } from './route-description.ts'
import type { Bounds, RouteDescriptions } from './route-description.ts'
import type { RouteParts } from './route-parts.ts'

/** Records that one page of changes looks at without a limit of its own, and at most. */
export const CHANGES_DEFAULT = 1_000
export const CHANGES_MAX = 10_000
/** A page of changes ends after this time, and names the next one. */
export const CHANGES_TIME_MAX_MS = 2_000
/** The newest records among which one request looks for the reasons of a value. */
export const WHY_RECORDS_MAX = 100_000

const CHANGES_LIMIT: Bounds = { min: 1, max: CHANGES_MAX }

const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/

type ThreadContext = Context<{ Bindings: HttpBindings }>

export const HISTORY_ROUTES: RouteDescriptions = {
  'GET /api/threads/:id/changes': {
    summary: 'What each record changed in the state',
    query: { from: POSITION, limit: CHANGES_LIMIT, reveal: 'text' },
  },
  'GET /api/threads/:id/why': {
    summary: 'The records that changed one value of the state',
    query: { path: 'text', at: POSITION, reveal: 'text' },
  },
}

/** How the state of a thread came to be, and why, as the role of the reader sees it. */
export function mountHistoryRoutes(
  thread: Hono<{ Bindings: HttpBindings }>,
  parts: RouteParts,
): void {
  thread.get('/changes', (context) => showChanges(context, parts))
  thread.get('/why', (context) => showWhy(context, parts))
}

async function showChanges(
  context: ThreadContext,
  { entry, throughline: { log }, quotas }: RouteParts,
): Promise<Response> {
  const { thread, view, entrant } = await entry.enter(context)
  const head = await log.head(thread)
  const from = wholeNumber(context, 'from', { min: 0, max: head + 1 }) ?? 0
  const limit = wholeNumber(context, 'limit', CHANGES_LIMIT) ?? CHANGES_DEFAULT
  return quotas.readHistory(entrant, async () => {
    const end = performance.now() + CHANGES_TIME_MAX_MS
    const followed = await view.follow(thread, from - 1)
    const base = JSON.stringify(followed.state)
    const changes = new StateChanges(followed)
    const texts: string[] = []
    const pace = new Pace()
    let next = from
    const until = Math.min(head, from + limit - 1)
    reading: for await (const records of log.read(thread, { after: from - 1, limit })) {
      for (const record of records) {
        if (record.seq > until) break reading
        const change = changes.take(record)
        if (change.ops.length > 0) texts.push(JSON.stringify(change))
        next = record.seq + 1
        if (!pace.isDue) continue
        if (performance.now() > end) break reading
        await pace.rest()
      }
    }
    const rest = next <= head ? `,"next":${next}` : ''
    const page = `{"from":${from},"head":${head},"base":${base},"changes":[${texts.join()}]${rest}}`
    return context.body(page, 200, { 'content-type': 'application/json' })
  })
}

async function showWhy(
  context: ThreadContext,
  { entry, throughline: { log }, quotas }: RouteParts,
): Promise<Response> {
  const { thread, view, entrant } = await entry.enter(context)
  const path = singleText(context, 'path', 'invalid_query') ?? ''
  if (!POINTER.test(path)) {
    const detail = 'Cannot use path: give a JSON pointer such as "/project/price"'
    throw new ProblemError('invalid_query', 400, { detail })
  }
  const head = await log.head(thread)
  const at = wholeNumber(context, 'at', { min: 0, max: head }) ?? head
  return quotas.readHistory(entrant, async () => {
    const after = Math.max(0, at + 1 - WHY_RECORDS_MAX) - 1
    const provenance = new Provenance({ path, view, followed: await view.follow(thread, after) })
    const pace = new Pace()
    for await (const records of log.read(thread, { after, limit: at - after })) {
      for (const record of records) {
        provenance.take(record)
        if (pace.isDue) await pace.rest()
      }
    }
    const { reasons, isCut } = provenance
    const earlier = isCut ? (reasons[0]?.seq ?? 0) - 1 : after
    return context.json({ path, at, reasons, ...(earlier >= 0 && { earlier }) })
  })
}
