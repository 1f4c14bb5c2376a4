import type { Context, Hono } from 'hono'
import { ProblemError } from 'throughline/server'
import {
  RUN_EVENTS_MAX,
  modelHistory,
  notFound,
  proposedEvent,
  readBody,
} from 'throughline/server/extend'
import type { ExtensionTools } from 'throughline/server/extend'
import { z } from 'zod'
import { caseView } from '../case/index.ts'
import { messagesOf } from './messages.ts'
import type { Side } from './messages.ts'
import { entrantIn, requireCase, seedText } from './session-routes.ts'
import type { SessionParts } from './session-routes.ts'
import { endedTurn } from './turn-result.ts'
import type { TurnFailure, TurnResult } from './turn-result.ts'

/** The longest message in a turn of these routes, in characters. */
export const USER_MESSAGE_MAX = 4_000

const chatBody = z.strictObject({
  sessionId: z.string().min(1).max(200),
  seed: seedText.nullish(),
  userMessage: z.string().max(USER_MESSAGE_MAX).nullish(),
  directEvents: z.array(proposedEvent).max(RUN_EVENTS_MAX).nullish(),
  isFirstTurn: z.boolean().nullish(),
  demoScenario: z.string().max(40).nullish(),
})

export interface ChatParts extends SessionParts, Pick<ExtensionTools, 'startRun'> {
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/**
 * Two doors for programs that do not read streams: a run as the pages begin it, and an answer when its turn
 * has ended.
 */
export function mountChatRoutes(app: Hono, parts: ChatParts): void {
  app.post('/api/chat/installer', (context) => chat(context, parts, 'installer'))
  app.post('/api/chat/customer', (context) => chat(context, parts, 'customer'))
}

async function chat(context: Context, parts: ChatParts, side: Side): Promise<Response> {
  // The body names the case.
  await parts.access.requireCredentials(context)
  const { sessionId, seed, ...said } = await readBody(context, chatBody)
  // An operator may read a case, but only a side itself makes the clicks of that side.
  const { role } = await entrantIn(context, parts, { sessionId, among: [side] })
  if (role !== side) throw notFound('thread')
  if (seed) await parts.seeds.hydrate(sessionId, seed)
  await requireCase(parts, sessionId)
  const { runId, ended } = await parts.startRun(context, sessionId, runOf(side, said))
  await ended
  const result = await endedTurn(parts.log, sessionId, runId)
  const { error } = result
  if (error?.code === 'limit_day') throw limitReached(error, parts.now())
  if (error) throw await modelFailed(parts, { sessionId, side, code: error.code })
  return context.json(await answer(parts, { sessionId, side, result }))
}

function runOf(
  agent: Side,
  { userMessage, directEvents, isFirstTurn }: Omit<z.infer<typeof chatBody>, 'sessionId' | 'seed'>,
): Parameters<ChatParts['startRun']>[2] {
  const input = userMessage?.trim() ?? ''
  return {
    agent,
    ...(input !== '' && { input }),
    events: directEvents ?? [],
    ...(isFirstTurn && { first: true }),
  }
}

interface SideOfCase {
  readonly sessionId: string
  readonly side: Side
}

async function answer(
  parts: ChatParts,
  { sessionId, side, result }: SideOfCase & { readonly result: TurnResult },
) {
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

async function modelFailed(
  parts: ChatParts,
  { sessionId, side, code }: SideOfCase & { readonly code: string },
) {
  const { conversation } = await parts.gate.snapshot(sessionId)
  const heard = conversation.messages.filter(({ surface }) => surface === side)
  const history = modelHistory(heard)
  return new ProblemError('model_failed', 502, {
    detail: code === 'refused' ? DECLINED : FAILED,
    more: {
      reason: code,
      seed: await parts.seeds.build(sessionId),
      debug: { historyLength: history.length, historyRoles: history.map(({ role }) => role) },
    },
  })
}
