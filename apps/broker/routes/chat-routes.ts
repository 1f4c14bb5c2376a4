import type { Context, Hono } from 'hono'
import { ProblemError } from 'throughline/server'
import {
  bodyDigest,
  idempotencyKey,
  modelHistory,
  notFound,
  proposedEvent,
  readBody,
} from 'throughline/server/extend'
import type { KeyedRequests, Runs, TurnRequest } from 'throughline/server/extend'
import { z } from 'zod'
import { caseView } from '../case/index.ts'
import type { BrokerState } from '../case/index.ts'
import { messagesOf } from './messages.ts'
import type { Side } from './messages.ts'
import { entrantIn, requireCase, seedText } from './session-routes.ts'
import type { SessionParts } from './session-routes.ts'
import { endedTurn } from './turn-result.ts'
import type { TurnFailure, TurnResult } from './turn-result.ts'

/** The longest message that a person can send, in characters. */
export const USER_MESSAGE_MAX = 4_000
/** Direct events that one turn can bring. */
export const DIRECT_EVENTS_MAX = 20

const chatBody = z.strictObject({
  sessionId: z.string().min(1).max(200),
  seed: seedText.nullish(),
  userMessage: z.string().max(USER_MESSAGE_MAX).nullish(),
  directEvents: z.array(proposedEvent).max(DIRECT_EVENTS_MAX).nullish(),
  isFirstTurn: z.boolean().nullish(),
  demoScenario: z.string().max(40).nullish(),
})

type ChatBody = z.infer<typeof chatBody>

export interface ChatParts extends SessionParts {
  readonly runs: Runs<BrokerState>
  readonly keyed: KeyedRequests
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

export function mountChatRoutes(app: Hono, parts: ChatParts): void {
  app.post('/api/chat/installer', (context) => chat(context, parts, 'installer'))
  app.post('/api/chat/customer', (context) => chat(context, parts, 'customer'))
}

async function chat(context: Context, parts: ChatParts, side: Side): Promise<Response> {
  // The body names the case.
  await parts.access.requireCredentials(context)
  const body = await readBody(context, chatBody)
  const { sessionId } = body
  // An operator may read a case, but only a side itself makes the clicks of that side.
  const entrant = await entrantIn(context, parts, { sessionId, among: [side] })
  if (entrant.role !== side) throw notFound('thread')
  const key = idempotencyKey(context.req.header('idempotency-key'))
  const actor = parts.access.actor(context, entrant)
  const principal = `${side}:${sessionId}`
  const result = await parts.keyed.once({ principal, key, body: asked(body) }, async () => {
    parts.quotas.takeTurn(entrant)
    if (body.seed) await parts.seeds.hydrate(sessionId, body.seed)
    await requireCase(parts, sessionId)
    const turn = parts.runs.start(sessionId, {
      agent: side,
      ...turnInput(body, key),
      ...(actor === undefined ? {} : { actor }),
    })
    await turn.result
    const ended = await endedTurn(parts.log, sessionId, turn.run)
    if (ended.error?.code === 'limit_day') throw limitReached(ended.error, parts.now())
    if (ended.error) throw await modelFailed(parts, { sessionId, side, result: ended })
    return ended
  })
  return context.json(await answer(parts, { sessionId, side, result }))
}

/** The seed moves on with every answer; the same request may come with another one. */
function asked(body: ChatBody): ChatBody {
  return { ...body, seed: undefined }
}

function turnInput(body: ChatBody, key: string | undefined): Omit<TurnRequest, 'agent'> {
  const input = body.userMessage?.trim() ?? ''
  return {
    ...(input === '' ? {} : { input }),
    events: body.directEvents ?? [],
    first: body.isFirstTurn ?? false,
    ...(key === undefined ? {} : { key, digest: bodyDigest(asked(body)) }),
  }
}

interface Ended {
  readonly sessionId: string
  readonly side: Side
  readonly result: TurnResult
}

async function answer(parts: ChatParts, { sessionId, side, result }: Ended) {
  const { state } = await parts.gate.state(sessionId)
  const { conversation } = await parts.gate.snapshot(sessionId)
  const handedOver = side === 'installer' && state.case.status !== 'intake'
  return {
    case: caseView(state, side),
    assistantMessage: result.display,
    events: result.events,
    refused: result.refused,
    [`${side}Messages`]: messagesOf(conversation, side),
    seed: await parts.seeds.build(sessionId),
    ...(result.effectsEnded ? { continueTurn: true } : {}),
    ...(result.status === 'stopped' ? { stopped: true } : {}),
    ...(handedOver ? { customerLink: await parts.links.link(sessionId, 'customer') } : {}),
  }
}

const FAILED = 'The assistant could not answer. What you did is recorded; please try again'
const DECLINED =
  'The assistant declined to answer this. What you did is recorded; please say it in another way'

function limitReached({ until = 0 }: TurnFailure, now: number): ProblemError {
  const retryAfterS = Math.max(1, Math.ceil((until - now) / 1_000))
  const end = new Date(until).toISOString()
  const detail = `The assistant has used what it may use in this case today. What you did is recorded; it can answer again from ${end}`
  return new ProblemError('limit', 429, { detail, more: { until: end }, retryAfterS })
}

async function modelFailed(parts: ChatParts, { sessionId, side, result }: Ended) {
  const { conversation } = await parts.gate.snapshot(sessionId)
  const heard = conversation.messages.filter(({ surface }) => surface === side)
  const history = modelHistory(heard)
  return new ProblemError('model_failed', 502, {
    detail: result.error?.code === 'refused' ? DECLINED : FAILED,
    more: {
      reason: result.error?.code,
      seed: await parts.seeds.build(sessionId),
      debug: { historyLength: history.length, historyRoles: history.map(({ role }) => role) },
    },
  })
}
