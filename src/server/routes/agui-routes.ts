import type { HttpBindings } from '@hono/node-server'
import { PROTOCOL_VERSION } from '@ag-ui/core'
import type { AgentCapabilities } from '@ag-ui/core'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { z } from 'zod'
import { aguiFace, joinStream, turnStream } from '../../faces/index.ts'
import type { AguiLoss, AguiStreamOptions, Reading } from '../../faces/index.ts'
import { explainIssues } from '../../domain/index.ts'
import { frameCursor, refusing } from './agui-cursor.ts'
import { directEvents, historyDigest, inputSize, pageParts, readRunInput } from './agui-input.ts'
import type { RunInput } from './agui-input.ts'
import { requireOwnAnswers } from './agui-turns.ts'
import type { ClientTurns, Cursor } from './client-turns.ts'
import { answerStream } from '../streams/stream-answer.ts'
import { ProblemError } from '../problems/problem.ts'
import { proposedEvent, readOptionalBody } from './request-body.ts'
import { streamEnd } from './reveal.ts'
import { JSON_TYPE, STREAM } from './route-description.ts'
import type { RouteDescriptions } from './route-description.ts'
import type { RouteParts } from './route-parts.ts'
import { RUN_EVENTS_MAX } from './run-routes.ts'
import type { PageRequest } from '../../agents/index.ts'
import { OPERATOR } from '../../application/index.ts'
import { crossOriginOf } from '../access/cross-origin.ts'
import { PAGE, TanstackRoutes } from './tanstack-routes.ts'
import {
  actorIn,
  mayAsk,
  mayInThread,
  ownSurface,
  requireOwnSurface,
  requirePermission,
  surfaceOf,
  requireAgent,
  requireThreadName,
} from './thread-entry.ts'
import type { Entered } from './thread-entry.ts'

type AguiContext = Context<{ Bindings: HttpBindings }>

const eventList = z.array(proposedEvent).max(RUN_EVENTS_MAX)
/** The package of the protocol checks it: its rules are no schema. */
const runBody = z.looseObject({}).describe('A RunAgentInput of AG-UI 1.0')
const stopBody = z.strictObject({ runId: z.string().exactOptional() })

const run = { body: runBody, answers: [STREAM] } as const
const asks = { ...run, summary: 'Asks an agent, or answers it: the run as events of AG-UI' }
const joins = { ...run, summary: 'The thread so far, and what comes, as events of AG-UI' }
const stops = { summary: 'Cancels the turn at work', body: stopBody, isBodyOptional: true } as const

export const AGUI_ROUTES: RouteDescriptions = {
  'GET /agui/info': { summary: 'The agents that the sender may ask' },
  'GET /agui/:agent': {
    summary: "A thread, or the turn at work in it, as TanStack AI's client asks for it",
    query: { threadId: 'text', limit: PAGE, before: 'text', runId: 'text', offset: 'text' },
    answers: [JSON_TYPE, STREAM],
  },
  'POST /agui/:agent': asks,
  'POST /agui/agent/:agent/run': asks,
  'POST /agui/:agent/connect': joins,
  'POST /agui/agent/:agent/connect': joins,
  'POST /agui/:agent/stop/:id': stops,
  'POST /agui/agent/:agent/stop/:id': stops,
}

/** Served agents over AG-UI: run, join, stop; the paths that CopilotKit asks for lead to the same. */
export class AguiRoutes {
  readonly #parts: RouteParts
  readonly #turns: ClientTurns

  constructor(parts: RouteParts, turns: ClientTurns) {
    this.#parts = parts
    this.#turns = turns
  }

  mount(app: Hono): void {
    const agui = new Hono<{ Bindings: HttpBindings }>()
    agui.get('/info', (context) => this.#info(context))
    new TanstackRoutes(this.#parts).mount(agui)
    agui.on('POST', ['/:agent', '/agent/:agent/run'], (context) => this.#run(context))
    agui.on('POST', ['/:agent/connect', '/agent/:agent/connect'], (context) =>
      this.#connect(context),
    )
    agui.on('POST', ['/:agent/stop/:id', '/agent/:agent/stop/:id'], (context) =>
      this.#stop(context),
    )
    app.route('/agui', agui)
  }

  /** Answers CopilotKit's first request. */
  async #info(context: AguiContext): Promise<Response> {
    const entrant = await this.#parts.access.entrant(context)
    const { throughline, version = '' } = this.#parts
    const className = 'ThroughlineAgent'
    const agents = throughline.apps.flatMap((opened) =>
      opened.app.agents
        .filter(({ name }) => mayAsk(opened, entrant, name))
        .map(({ name, description }) => [name, { name, description, className, capabilities }]),
    )
    return context.json({ version, mode: 'sse', agents: Object.fromEntries(agents) })
  }

  async #run(context: AguiContext): Promise<Response> {
    const { agent, request, entered } = await this.#entered(context)
    requirePermission(entered, 'run', [agent])
    requireOwnSurface(entered, agent)
    const { input } = request
    await requireOwnAnswers(entered, agent, input)
    const events = this.#directEvents(entered, request)
    const after = await this.#cursor(context, entered)
    // Once: a conversation may be long.
    const history = historyDigest(input)
    const asked = {
      ...request,
      agent,
      events,
      history,
      page: pageRequest(context, request, entered),
    }
    const found = await this.#turns.of(entered, asked, {
      after,
      unasked: (answers) => this.#warn(entered, { unasked: answers.slice(0, 20) }),
    })
    const at = { agent, request, entered, after }
    if (found.shows === 'thread') return this.#join(context, at, 'end')
    return this.#answer(context, at, (options) =>
      turnStream({
        ...options,
        turn: found.turn,
        history: input.messages,
        historyDigest: history,
      }),
    )
  }

  async #connect(context: AguiContext): Promise<Response> {
    const at = await this.#entered(context)
    requireOwnSurface(at.entered, at.agent)
    return this.#join(context, { ...at, after: await this.#cursor(context, at.entered) })
  }

  async #stop(context: AguiContext): Promise<Response> {
    const entered = await this.#parts.entry.enter(context)
    requirePermission(entered, 'cancel')
    const agent = context.req.param('agent') ?? ''
    requireOwnSurface(entered, agent)
    // Clients stop without a body, or with the run that they mean.
    const { runId } = (await readOptionalBody(context, stopBody)) ?? {}
    const { thread, owner, role, as } = entered
    const named = runId === undefined ? undefined : await owner.runs.turnOfWire(thread, runId)
    if (runId !== undefined && !named) return context.json({ stopped: false })
    const stopped = await owner.runs.cancel(thread, {
      by: role,
      ...(named && { run: named.turn }),
      ...actorIn(as),
      ...ownSurface(entered),
    })
    return context.json({ stopped })
  }

  async #entered(context: AguiContext): Promise<AguiEntry> {
    // Before the body is read, which may hold a whole conversation.
    const sender = await this.#parts.access.requireCredentials(context)
    if (sender) this.#parts.quotas.takeProposal(sender, performance.now(), inputSize(context))
    const agent = context.req.param('agent') ?? ''
    const request = await readRunInput(context)
    const { threadId } = request.input
    requireThreadName(threadId, 'threadId')
    const opening = async () => ({ type: 'RUN_STARTED', agent })
    const entered = await this.#parts.entry.enterNamed(context, threadId, opening)
    requireAgent(entered, agent)
    if (request.removed.length > 0) this.#warn(entered, { removed: request.removed.slice(0, 20) })
    return { agent, request, entered }
  }

  #directEvents(entered: Entered, { input }: RunInput) {
    const given = directEvents(input)
    if (given === undefined) return []
    const parsed = eventList.safeParse(given)
    if (!parsed.success) {
      const why = explainIssues(parsed.error.issues)
      const detail = `Cannot read "forwardedProps.directEvents": ${why}`
      throw new ProblemError('invalid_body', 400, { detail })
    }
    const types = parsed.data.map(({ type }) => type)
    if (types.length > 0) requirePermission(entered, 'propose', types)
    return parsed.data
  }

  #cursor(context: AguiContext, { thread }: Entered): Promise<Cursor | undefined> {
    return frameCursor(context, { thread, log: this.#parts.throughline.log })
  }

  #join(context: AguiContext, at: AguiReading, tells?: 'end'): Promise<Response> {
    const { agent, entered, request } = at
    const surface = surfaceOf(entered.owner, agent)
    const { runId } = request.input
    return this.#answer(context, at, (options) =>
      joinStream({ ...options, surface, agent, runId, tells }),
    )
  }

  #answer(
    context: AguiContext,
    { entered, request, after }: AguiReading,
    readingOf: (options: AguiStreamOptions) => Reading,
  ): Promise<Response> {
    const { thread, view, entrant } = entered
    const { access, quotas, streams, throughline } = this.#parts
    const reading = readingOf({
      log: throughline.log,
      protocol: request.protocol,
      after: after?.id,
      onLoss: (loss: AguiLoss) => this.#warn(entered, { loss }),
    })
    const shown = { thread, view, face: aguiFace(after?.id), reading, after: after?.seq ?? -1 }
    return answerStream(context, async (sink) => {
      sink.onceClosed(quotas.holdStream(entrant))
      const until = await streamEnd(access, entered, sink)
      await refusing(() => streams.open(sink, { ...shown, until }))
    })
  }

  #warn({ thread }: Entered, what: Warning): void {
    this.#parts.logger.warn({ thread, ...what }, 'a client of AG-UI was not served as it asked')
  }
}

/**
 * The parts of a request that an agent on another server may be sent. The cookies of another site never go on, nor
 * does what lets the operator in here.
 */
function pageRequest(context: Context, { input }: RunInput, entered: Entered): PageRequest {
  const { headers } = context.req.raw
  const isOther = crossOriginOf(context) !== undefined
  const kept = entered.role === OPERATOR ? ['authorization', 'cookie'] : isOther ? ['cookie'] : []
  return {
    ...pageParts(input),
    header: (name) =>
      kept.includes(name.toLowerCase()) ? undefined : (headers.get(name) ?? undefined),
    mayPropose: (type) => mayInThread(entered, 'propose', type),
  }
}

/** Parts of a client's request, or of its answer, that the server leaves out. */
type Warning =
  | { readonly loss: AguiLoss }
  | { readonly removed: readonly string[] }
  | { readonly unasked: readonly string[] }

interface AguiEntry {
  readonly agent: string
  readonly request: RunInput
  readonly entered: Entered
}

interface AguiReading extends AguiEntry {
  readonly after: Cursor | undefined
}

/** Our agents' capabilities in AG-UI's terms; clients fetch them before a run. */
const capabilities: AgentCapabilities = {
  transport: { streaming: true, resumable: true },
  state: { snapshots: true, deltas: true, persistentState: true },
  tools: { supported: true, clientProvided: true },
  humanInTheLoop: { supported: true, interrupts: true },
  custom: { protocolVersion: PROTOCOL_VERSION },
}
