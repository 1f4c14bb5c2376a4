import type { HttpBindings } from '@hono/node-server'
import type { Tool } from '@ag-ui/core'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { z } from 'zod'
import { uiFace, uiHistory, uiStream } from '../../faces/index.ts'
import { answerStream } from '../streams/stream-answer.ts'
import { inputSize } from './agui-input.ts'
import { requireOwnAnswers } from './agui-turns.ts'
import { chatBody, chatRequest, readChatInput } from './chat-input.ts'
import { nothingAsked } from './client-turns.ts'
import type { ClientTurns } from './client-turns.ts'
import { readOptionalBody } from './request-body.ts'
import { streamEnd } from './reveal.ts'
import { STREAM } from './route-description.ts'
import type { RouteDescriptions } from './route-description.ts'
import type { RouteParts } from './route-parts.ts'
import {
  actorIn,
  ownSurface,
  requireAgent,
  requireOwnSurface,
  requirePermission,
  surfaceOf,
} from './thread-entry.ts'
import type { Entered } from './thread-entry.ts'

/** `useChat` stops without one. */
const stopBody = z.strictObject({})

export const CHAT_ROUTES: RouteDescriptions = {
  'POST /chat/:agent': {
    summary: 'Asks an agent, or answers it: the reply as a UI message stream of the AI SDK',
    body: chatBody,
    answers: [STREAM],
  },
  'GET /chat/:agent/:id': { summary: 'The messages of a thread, for a page of the AI SDK' },
  'GET /chat/:agent/:id/stream': {
    summary: 'The reply that is at work; 204 where none is',
    answers: [STREAM],
  },
  'POST /chat/:agent/:id/stop': {
    summary: 'Cancels the turn at work',
    body: stopBody,
    isBodyOptional: true,
  },
}

type ChatContext = Context<{ Bindings: HttpBindings }>

/** Says that an answer is a UI message stream. */
const PROTOCOL_HEADER = 'x-vercel-ai-ui-message-stream'

/** Served agents for pages of the AI SDK: what `useChat` and its transport ask for. */
export class ChatRoutes {
  readonly #parts: RouteParts
  readonly #turns: ClientTurns

  constructor(parts: RouteParts, turns: ClientTurns) {
    this.#parts = parts
    this.#turns = turns
  }

  mount(app: Hono): void {
    const chat = new Hono<{ Bindings: HttpBindings }>()
    chat.post('/:agent', (context) => this.#run(context))
    chat.get('/:agent/:id', (context) => this.#history(context))
    chat.get('/:agent/:id/stream', (context) => this.#resume(context))
    chat.post('/:agent/:id/stop', (context) => this.#stop(context))
    app.route('/chat', chat)
  }

  async #run(context: ChatContext): Promise<Response> {
    // Before the body is read, which may hold a whole conversation.
    const sender = await this.#parts.access.requireCredentials(context)
    if (sender) this.#parts.quotas.takeProposal(sender, performance.now(), inputSize(context))
    const agent = agentOf(context)
    const given = await readChatInput(context)
    const entered = await this.#parts.entry.enterToAsk(context, given.id, agent)
    const { principal } = entered
    const request = chatRequest(context, given, {
      agent,
      tools: pageTools(entered, agent),
      principal,
    })
    await requireOwnAnswers(entered, agent, request.input)
    const found = await this.#turns.of(entered, request, { unasked: () => {} })
    if (found.shows === 'turn') {
      const from = request.answersOnly ? 'turn' : 'reply'
      return this.#answer(context, entered, { agent, turn: found.turn, from })
    }
    if (request.answersOnly) throw nothingAsked()
    const waiting = await entered.owner.runs.waiting(entered.thread, { agent })
    if (!waiting) throw nothingAsked()
    return this.#answer(context, entered, { agent, turn: waiting.turn, from: 'reply' })
  }

  /** The turn at work; none in a thread that nobody has begun, or that is another person's. */
  async #resume(context: ChatContext): Promise<Response> {
    const entered = await this.#enteredIfAny(context)
    if (!entered) return context.body(null, 204)
    const agent = agentOf(context)
    const { openRuns } = await entered.owner.gate.snapshot(entered.thread)
    const surface = surfaceOf(entered.owner, agent)
    const open = openRuns.find(({ origin }) => origin.depth === 0 && origin.surface === surface)
    if (!open) return context.body(null, 204)
    const turn = open.origin.turn ?? open.runId
    return this.#answer(context, entered, { agent, turn, from: 'reply' })
  }

  async #history(context: ChatContext): Promise<Response> {
    const entered = await this.#enteredIfAny(context)
    if (!entered) return context.json({ messages: [], state: null, head: -1 })
    const { thread, view, owner } = entered
    const { log } = this.#parts.throughline
    const surface = surfaceOf(owner, agentOf(context))
    return context.json(await uiHistory({ thread, view }, { log, surface }))
  }

  async #stop(context: ChatContext): Promise<Response> {
    const entered = await this.#parts.entry.enter(context)
    requirePermission(entered, 'cancel')
    await readOptionalBody(context, stopBody)
    const agent = agentOf(context)
    requireAgent(entered, agent)
    requireOwnSurface(entered, agent)
    const { thread, owner, role, as } = entered
    const by = { by: role, ...actorIn(as), ...ownSurface(entered) }
    return context.json({ stopped: await owner.runs.cancel(thread, by) })
  }

  #enteredIfAny(context: ChatContext): Promise<Entered | undefined> {
    const thread = context.req.param('id') ?? ''
    return this.#parts.entry.enterToReadIfAny(context, thread, agentOf(context))
  }

  #answer(
    context: ChatContext,
    entered: Entered,
    {
      agent,
      turn,
      from,
    }: { readonly agent: string; readonly turn: string; readonly from: 'reply' | 'turn' },
  ): Promise<Response> {
    const { thread, view, owner, entrant } = entered
    const { access, quotas, streams, throughline } = this.#parts
    const surface = surfaceOf(owner, agent)
    const reading = uiStream({ log: throughline.log, turn, surface, from })
    context.header(PROTOCOL_HEADER, 'v1')
    // A stream is written past the answer that we return, straight to node's response.
    const { outgoing }: Partial<HttpBindings> = context.env ?? {}
    outgoing?.setHeader(PROTOCOL_HEADER, 'v1')
    return answerStream(context, async (sink) => {
      sink.onceClosed(quotas.holdStream(entrant))
      const until = await streamEnd(access, entered, sink)
      await streams.open(sink, { thread, view, face: uiFace, reading, after: -1, until })
    })
  }
}

function agentOf(context: Context): string {
  return context.req.param('agent') ?? ''
}

/** The AI SDK sends no tools: those that the agent declares without `execute` are the page's. */
function pageTools({ owner }: Entered, agent: string): readonly Tool[] {
  const own = owner.app.agents.find(({ name }) => name === agent)?.tools ?? []
  // The agent's own definition is what its model is shown.
  return Array.from(own).flatMap(([name, { execute }]) =>
    execute ? [] : [{ name, description: '' }],
  )
}
