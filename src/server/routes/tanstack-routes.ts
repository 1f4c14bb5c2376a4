import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { aguiFace, tanstackHistory, turnStream } from '../../faces/index.ts'
import { ProblemError, notFound } from '../problems/problem.ts'
import { singleText, wholeNumber } from '../streams/cursor.ts'
import { answerStream } from '../streams/stream-answer.ts'
import { frameCursor, refusing } from './agui-cursor.ts'
import { streamEnd } from './reveal.ts'
import type { Bounds } from './route-description.ts'
import type { RouteParts } from './route-parts.ts'
import { surfaceOf } from './thread-entry.ts'

/** Messages of one page of a thread. */
export const TANSTACK_PAGE_MAX = 1_000
export const PAGE: Bounds = { min: 1, max: TANSTACK_PAGE_MAX }

type TanstackContext = Context<{ Bindings: HttpBindings }>

/** Its client names a run alone when it asks for it again, so the name of the run holds that of the thread. */
const SEPARATOR = '/'

/** What TanStack AI's client asks for at its start: the thread by its name, and then the turn at work. */
export class TanstackRoutes {
  readonly #parts: RouteParts

  constructor(parts: RouteParts) {
    this.#parts = parts
  }

  mount(agui: Hono<{ Bindings: HttpBindings }>): void {
    agui.get('/:agent', (context) => {
      const run = singleText(context, 'runId', 'invalid_query')
      return run === undefined ? this.#history(context) : this.#run(context, run)
    })
  }

  async #history(context: TanstackContext): Promise<Response> {
    const thread = singleText(context, 'threadId', 'invalid_query')
    const limit = wholeNumber(context, 'limit', PAGE)
    const before = singleText(context, 'before', 'invalid_query')
    if (thread === undefined) throw unnamed()
    const agent = agentOf(context)
    const entered = await this.#parts.entry.enterToReadIfAny(context, thread, agent)
    if (!entered) return context.json(NOTHING)
    const { turn, ...shown } = await tanstackHistory(
      { thread, view: entered.view },
      {
        log: this.#parts.throughline.log,
        agent,
        surface: surfaceOf(entered.owner, agent),
        limit,
        before,
      },
    )
    const activeRun = turn === undefined ? null : { runId: `${turn}${SEPARATOR}${thread}` }
    return context.json({ ...shown, activeRun })
  }

  /** A turn from its start, or after a frame of it, and what comes. */
  async #run(context: TanstackContext, run: string): Promise<Response> {
    const at = run.indexOf(SEPARATOR)
    const [turn, thread] = [run.slice(0, Math.max(0, at)), run.slice(at + 1)]
    const agent = agentOf(context)
    const entered = await this.#parts.entry.enterToRead(context, thread, agent)
    const { log } = this.#parts.throughline
    const started = await log.find(thread, turn)
    const surface = surfaceOf(entered.owner, agent)
    const isRun = started?.type === 'RUN_STARTED' && started.origin.surface === surface
    if (!isRun) throw notFound('run')
    const after = await frameCursor(context, { thread, log })
    const said = { after: after?.id, protocol: 'before-1.0' } as const
    const reading = turnStream({ ...said, log, turn, onLoss: () => {} })
    const face = aguiFace(after?.id)
    const shown = { thread, view: entered.view, face, reading, after: after?.seq ?? -1 }
    const { access, quotas, streams } = this.#parts
    return answerStream(context, async (sink) => {
      sink.onceClosed(quotas.holdStream(entered.entrant))
      const until = await streamEnd(access, entered, sink)
      await refusing(() => streams.open(sink, { ...shown, until }))
    })
  }
}

const NOTHING = { messages: [], activeRun: null, interrupts: null, page: { truncated: false } }

function agentOf(context: Context): string {
  return context.req.param('agent') ?? ''
}

function unnamed(): ProblemError {
  const detail = 'Cannot read a thread: name it with ?threadId=; to run an agent, use POST'
  return new ProblemError('invalid_query', 400, { detail })
}
