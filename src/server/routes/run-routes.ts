import { Hono } from 'hono'
import type { Context } from 'hono'
import { z } from 'zod'
import { FILE_TYPES } from '../../activity/index.ts'
import type { AgentTurn, TurnRequest } from '../../agents/index.ts'
import type { Json } from '../../json/index.ts'
import { THREADS_LISTED_MAX } from '../../application/index.ts'
import type { OpenedApp, Throughline } from '../../application/index.ts'
import { logDeadTurn } from '../streams/dead-turn.ts'
import { idempotencyKey } from './keyed-requests.ts'
import { ProblemError } from '../problems/problem.ts'
import { once, proposedEvent, readBody, readOptionalBody } from './request-body.ts'
import type { RouteDescriptions } from './route-description.ts'
import type { RouteParts } from './route-parts.ts'
import {
  actorIn,
  ownSurface,
  requireAnswerable,
  requireOperatorRole,
  requireOwnSurface,
  requirePermission,
} from './thread-entry.ts'
import type { Entered } from './thread-entry.ts'
import { listWaits } from './waits-route.ts'

/** The longest prompt, in characters. */
export const PROMPT_CHARS_MAX = 100_000

/** The largest request for a run, in bytes: its prompt may hold files. */
export const RUN_BYTES_MAX = 1_310_720

/** Events that a person proposes with one run. */
export const RUN_EVENTS_MAX = 20

/** Parts of one prompt. */
export const INPUT_PARTS_MAX = 32

const prompt = z.string().trim().min(1).max(PROMPT_CHARS_MAX)
const inputPart = z.union([
  z.strictObject({ type: z.literal('text'), text: z.string().max(PROMPT_CHARS_MAX) }),
  z.strictObject({
    type: z.enum(FILE_TYPES),
    source: z.union([
      z.strictObject({ type: z.literal('data'), value: z.string(), mimeType: z.string() }),
      z.strictObject({
        type: z.literal('url'),
        value: z.string(),
        mimeType: z.string().exactOptional(),
      }),
    ]),
  }),
])

const startBody = z
  .strictObject({
    agent: z.string().min(1).max(64),
    input: z.union([prompt, z.array(inputPart).min(1).max(INPUT_PARTS_MAX)]).exactOptional(),
    /** An empty list asks the agent to go on. */
    events: z.array(proposedEvent).max(RUN_EVENTS_MAX).exactOptional(),
    /** The person opened the page for the first time. */
    first: z.boolean().exactOptional(),
  })
  .refine(({ input, events }) => input ?? events, 'give input, events or both')

/** What a request asks of an agent. */
export type RunBody = z.infer<typeof startBody>

export interface StartedRun {
  readonly runId: string
  /** Resolves once the end of its turn is on record; rejects when the turn dies without one. */
  readonly ended: Promise<void>
}

const emptyBody = z.strictObject({})

const resumeBody = z.strictObject({ values: z.record(z.string(), z.json()) })

export const RUN_ROUTES: RouteDescriptions = {
  'GET /api/agents/served': { summary: 'The agents of all applications' },
  'GET /api/waits': {
    summary: 'What the sender may decide or answer, over all threads',
    query: {
      app: 'text',
      after: 'text',
      since: 'text',
      limit: { min: 1, max: THREADS_LISTED_MAX },
    },
  },
  'POST /api/threads/:id/runs': { summary: 'Asks an agent', body: startBody, status: 202 },
  'POST /api/threads/:id/runs/:runId/resume': {
    summary: 'Answers what a run has asked',
    body: resumeBody,
    status: 202,
  },
  'POST /api/threads/:id/runs/:runId/cancel': {
    summary: 'Cancels a run and all below it',
    body: emptyBody,
    isBodyOptional: true,
    status: 202,
  },
  'POST /api/threads/:id/history/reset': {
    summary: 'Begins the history of agents without a surface anew',
    body: emptyBody,
    isBodyOptional: true,
  },
}

export function mountRunRoutes(app: Hono, parts: RouteParts): void {
  app.get('/api/agents/served', (context) => served(context, parts))
  app.get('/api/waits', (context) => listWaits(context, parts))
  const runs = new Hono()
  runs.post('/', (context) => start(context, parts))
  runs.post('/:runId/resume', (context) => resume(context, parts))
  runs.post('/:runId/cancel', (context) => cancel(context, parts))
  app.route('/api/threads/:id/runs', runs)
  app.post('/api/threads/:id/history/reset', (context) => reset(context, parts))
}

async function served(context: Context, parts: RouteParts): Promise<Response> {
  await parts.access.requireOperator(context)
  const { throughline } = parts
  const agents = throughline.apps.flatMap((app) => servedBy(app, throughline))
  return context.json({ agents })
}

async function start(context: Context, parts: RouteParts): Promise<Response> {
  const reading = once(() => readBody(context, startBody, RUN_BYTES_MAX))
  const entered = await parts.entry.enter(context, async () => ({
    type: 'RUN_STARTED',
    agent: (await reading()).agent,
  }))
  parts.quotas.takeProposal(entered.entrant)
  const { runId } = await startRun(context, parts, { entered, body: await reading() })
  return context.json({ runId }, 202)
}

/**
 * Begins the run that a request asks for, once for its key.
 *
 * @throws {@link ProblemError} `forbidden`, `too_many_turns`, {@link GateError} `key_reused`, and what the
 *   engine refuses a turn with
 */
export function startRun(
  context: Context,
  parts: RouteParts,
  { entered, body }: { readonly entered: Entered; readonly body: RunBody },
): Promise<StartedRun> {
  const { agent } = body
  requirePermission(entered, 'run', [agent])
  requireOwnSurface(entered, agent)
  const proposed = (body.events ?? []).map(({ type }) => type)
  if (proposed.length > 0) requirePermission(entered, 'propose', proposed)
  const { thread, owner, as, begins, caller } = entered
  const request = { ...body, ...caller, surface: as.surface, begins }
  const begin = (key: RequestKey) => owner.runs.start(thread, { ...request, ...key })
  return started(context, parts, { entered, body, begin })
}

async function resume(context: Context, parts: RouteParts): Promise<Response> {
  const entered = await parts.entry.enter(context)
  const body = await readBody(context, resumeBody)
  // A strict parser has read it: it is JSON.
  const values = body.values as Readonly<Record<string, Json>>
  const { thread, owner, caller } = entered
  const run = context.req.param('runId') ?? ''
  requireAnswerable(entered, await owner.runs.asked(thread, { run, values }))
  const request = { run, values, ...caller, ...ownSurface(entered) }
  const begin = (key: RequestKey) => owner.runs.resume(thread, { ...request, ...key })
  const { runId } = await started(context, parts, { entered, body: { values }, begin })
  return context.json({ runId }, 202)
}

async function cancel(context: Context, parts: RouteParts): Promise<Response> {
  const entered = await parts.entry.enter(context)
  requirePermission(entered, 'cancel')
  await readOptionalBody(context, emptyBody)
  const { thread, owner, role, as } = entered
  const run = context.req.param('runId') ?? ''
  const request = { run, by: role, ...actorIn(as), ...ownSurface(entered) }
  const cancelled = await owner.runs.cancel(thread, request)
  if (cancelled) return context.json({ runId: run }, 202)
  const detail = `Cannot cancel run ${run}: it does not run`
  throw new ProblemError('not_running', 409, { detail })
}

async function reset(context: Context, parts: RouteParts): Promise<Response> {
  const entered = await parts.entry.enter(context)
  requireOperatorRole(entered)
  await readOptionalBody(context, emptyBody)
  const { thread, owner } = entered
  await owner.runs.resetHistory(thread)
  return context.json({ thread }, 200)
}

/** Resolves once the start is on record; the thread shows the rest. */
async function started(
  context: Context,
  parts: RouteParts,
  { entered, body, begin }: Start,
): Promise<StartedRun> {
  const key = idempotencyKey(context.req.header('idempotency-key'))
  const { pathname } = new URL(context.req.url)
  const { thread, entrant } = entered
  const principal = `${entered.principal}:${pathname}`
  // Not every path names the thread.
  const request = { principal: `${thread} ${principal}`, key, body }
  return parts.keyed.once(request, async () => {
    parts.quotas.takeTurn(entrant)
    const turn = begin(key === undefined ? {} : { key: `${principal}:${key}` })
    turn.result.catch(logDeadTurn(parts.logger, thread))
    await turn.started
    const ended = turn.result.then(({ reason }) => {
      // Asked again, the engine says from the log whether it runs once more.
      if (reason === 'error') parts.keyed.forget(request)
    })
    ended.catch(() => parts.keyed.forget(request))
    return { runId: turn.run, ended }
  })
}

type RequestKey = Pick<TurnRequest, 'key'>

interface Start {
  readonly entered: Entered
  readonly body: unknown
  readonly begin: (key: RequestKey) => AgentTurn<unknown>
}

function servedBy({ name: application, app }: OpenedApp, throughline: Throughline) {
  return app.agents.map(({ name, description, surface, tools, agents: below, handoffs }) => ({
    name,
    description,
    application,
    ...(surface === undefined ? {} : { surface }),
    /** Whether a thread may begin with it. */
    begins: throughline.openedBy('RUN_STARTED', name)?.name === application,
    tools: [...tools.keys()],
    agents: below().map((agent) => agent.name),
    handoffs: handoffs().map((agent) => agent.name),
  }))
}
