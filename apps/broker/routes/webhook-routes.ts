import type { Context, Hono } from 'hono'
import { ProblemError } from 'throughline/server'
import {
  idempotencyKey,
  notFound,
  readBody,
  recordedOnce,
  wholeNumber,
} from 'throughline/server/extend'
import type { EventLog } from 'throughline'
import type { Access, KeyedRequests } from 'throughline/server/extend'
import { z } from 'zod'
import type { DeadLetters, ResendRefusal, Resent, Undelivered } from '../webhooks/index.ts'

export const DEAD_LETTERS_DEFAULT = 100
export const DEAD_LETTERS_MAX = 1_000

const resendBody = z.union([
  z.strictObject({ sessionId: z.string().min(1).max(200), delivery: z.string().min(1).max(64) }),
  z.strictObject({ all: z.literal(true), from: z.int().min(0).optional() }),
])

export interface WebhookRouteParts {
  readonly access: Access
  readonly log: EventLog
  readonly keyed: KeyedRequests
  readonly deadLetters: DeadLetters
}

/** Mounts the routes by which the operator sees dead letters and has them sent again. */
export function mountWebhookRoutes(app: Hono, parts: WebhookRouteParts): void {
  app.get('/api/webhooks/dead-letters', (context) => list(context, parts))
  app.post('/api/webhooks/dead-letters/resend', (context) => resend(context, parts))
}

async function list(context: Context, parts: WebhookRouteParts): Promise<Response> {
  const { access, deadLetters } = parts
  await access.requireOperator(context)
  const limit = wholeNumber(context, 'limit', { min: 1, max: DEAD_LETTERS_MAX })
  const from = wholeNumber(context, 'from', { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? 0
  const { found, next } = await deadLetters.list(from, limit ?? DEAD_LETTERS_DEFAULT)
  return context.json({ deadLetters: found.map(told), next })
}

async function resend(context: Context, parts: WebhookRouteParts): Promise<Response> {
  const { access, log, keyed, deadLetters } = parts
  await access.requireOperator(context)
  const body = await readBody(context, resendBody)
  const key = idempotencyKey(context.req.header('idempotency-key'))
  const request = { principal: 'operator', key, body }
  const resend = async () => {
    const done =
      'all' in body
        ? await deadLetters.resendAll(body.from ?? 0)
        : await deadLetters.resend(body.sessionId, body.delivery)
    if (typeof done === 'string') throw notResent(done)
    const { found, next } = 'found' in done ? done : { found: [done], next: undefined }
    return { resent: found.map(asked), ...(next === undefined ? {} : { next }) }
  }
  const answer = await keyed.once(request, () => recordedOnce(log, request, resend))
  return context.json(answer, 202)
}

function told({ thread, letter }: Undelivered) {
  const { id, event, seq, ts, attempts, since, reason, round } = letter
  return {
    sessionId: thread,
    delivery: id,
    event,
    seq,
    occurredAt: new Date(ts).toISOString(),
    attempts,
    givenUpAt: new Date(since).toISOString(),
    reason,
    sentAgain: round,
  }
}

function asked({ thread: sessionId, delivery, seq }: Resent) {
  return { sessionId, delivery, seq }
}

function notResent(refusal: ResendRefusal): ProblemError {
  switch (refusal) {
    case 'unknown':
      return notFound('delivery')
    case 'delivered':
      return cannotSend('not_dead', 'the receiver has taken it')
    case 'not tried to the end':
      return cannotSend('not_dead', 'its attempts have not come to an end')
    case 'no receiver':
      return cannotSend('no_receiver', 'no receiver is named (WEBHOOK_URL)')
  }
}

function cannotSend(code: 'not_dead' | 'no_receiver', state: string): ProblemError {
  return new ProblemError(code, 409, { detail: `Cannot send again: ${state}` })
}
