import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { customValue } from '../../src/activity/index.ts'
import type { EventLog } from 'throughline/log'
import { Journey, caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import type { Answered } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { SECRET, fails, receiver } from '../../apps/broker/webhooks/receiver.fixture.ts'
import { call, readFrames, serveAgents } from '../../src/server/served-agents.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

/** The requests of one route: the first one, and the others that its key must not be used for. */
export interface Asked {
  readonly path: string
  readonly token?: string
  readonly first: object
  readonly others: readonly object[]
}

export interface KeyedRoute {
  readonly name: string
  /** Serves the route from a log; closing it and serving it again is a restart. */
  readonly serve: (log: EventLog) => Promise<{ readonly url: string; close(): Promise<void> }>
  /** Makes the route ready to be asked. */
  readonly prepare: (url: string) => Promise<Asked>
}

export function send(
  url: string,
  { path, token }: Asked,
  { body, key }: { readonly body: object; readonly key: string },
): Promise<Answered> {
  const headers = { 'idempotency-key': key }
  return request(`${url}${path}`, { ...(token ? { token } : {}), headers, body })
}

/** The answer, without its seed and link: they are made anew for every answer. */
export function answerOf({ status, body }: Answered) {
  return { status, body: { ...body, seed: undefined, customerLink: undefined } }
}

/** The records that requests executed: runs, events, refusals and resent deliveries. */
export async function executions(log: EventLog): Promise<number> {
  let count = 0
  for (const thread of await log.threads()) {
    for (const record of await recordsOf(log, thread)) {
      const { type } = record
      const isEvent = type !== type.toUpperCase()
      const isResent = customValue(record, 'webhook_resent') !== undefined
      if (type === 'RUN_STARTED' || isEvent || isResent) count++
    }
  }
  return count
}

const SHOWN = { type: 'present_disclosure', data: { id: 'service_status' } }
const emailCopy = (wantsEmailCopy: boolean) => ({
  type: 'record_email_preference',
  data: { wantsEmailCopy },
})

async function handedOver(url: string): Promise<Journey> {
  // A journey asks its broker for nothing but the address.
  const journey = await caseAfter({ url } as Journey['broker'])
  return journey
}

const broker = (log: EventLog) => testBroker({ log })

const events: KeyedRoute = {
  name: 'POST /api/threads/:id/events',
  serve: broker,
  async prepare(url) {
    const { sessionId, tokens } = await handedOver(url)
    const id = randomUUID()
    return {
      path: `/api/threads/${sessionId}/events`,
      token: tokens.customer,
      first: { events: [SHOWN, { ...emailCopy(true), id }] },
      others: [
        { events: [SHOWN, { ...emailCopy(false), id }] },
        { events: [SHOWN, emailCopy(false)] },
        { events: [{ ...SHOWN, data: { id: 'credit_search_consent' } }, emailCopy(true)] },
        { events: [SHOWN] },
        { events: [emailCopy(true), SHOWN] },
        { events: [SHOWN, { ...emailCopy(true), id }], expectedVersion: 3 },
      ],
    }
  },
}

function chat(side: 'installer' | 'customer'): KeyedRoute {
  return {
    name: `POST /api/chat/${side}`,
    serve: broker,
    async prepare(url) {
      const { sessionId, tokens } = await handedOver(url)
      const first = { sessionId, userMessage: 'Are you a lender?', directEvents: [SHOWN] }
      return {
        path: `/api/chat/${side}`,
        token: tokens[side],
        first,
        others: [
          { ...first, userMessage: 'Something else' },
          { ...first, directEvents: [emailCopy(true)] },
          { sessionId },
        ],
      }
    },
  }
}

const start: KeyedRoute = {
  name: 'POST /api/threads/:id/runs',
  serve: (log) => serveAgents({ log }),
  prepare: async () => ({
    path: `/api/threads/${randomUUID()}/runs`,
    first: { agent: 'clerk', input: 'Case 7?' },
    others: [
      { agent: 'clerk', input: 'Case 8?' },
      { agent: 'sleeper', input: 'Case 7?' },
    ],
  }),
}

const resume: KeyedRoute = {
  name: 'POST /api/threads/:id/runs/:runId/resume',
  serve: (log) => serveAgents({ log }),
  async prepare(url) {
    const path = `/api/threads/${randomUUID()}`
    const { body } = await call(`${url}${path}/runs`, { agent: 'clerk', input: 'pay them' })
    await readFrames(`${url}${path}/events?view=agent`, ({ type }) => type === 'wait_for_input')
    return {
      path: `${path}/runs/${String(body['runId'])}/resume`,
      // A reason that is no text is recorded nowhere but in the request's digest.
      first: { values: { approved: false, reason: 5 } },
      others: [
        { values: { approved: true } },
        { values: { approved: false } },
        { values: { approved: false, reason: 6 } },
      ],
    }
  },
}

async function resend(): Promise<KeyedRoute> {
  const { url: hook } = await receiver(0, fails)
  const onFault = (error: unknown): void => {
    throw error
  }
  const webhooks = { url: hook, secret: SECRET, retryDelaysMs: [5], onFault }
  return {
    name: 'POST /api/webhooks/dead-letters/resend',
    serve: (log) => testBroker({ log, webhooks }),
    async prepare(url) {
      const { sessionId } = await handedOver(url)
      const deliveryOf = async () => {
        const { body } = await request(`${url}/api/webhooks/dead-letters`)
        const letters = body['deadLetters'] as unknown as readonly {
          readonly sessionId: string
          readonly delivery: string
        }[]
        return letters.find((letter) => letter.sessionId === sessionId)?.delivery
      }
      await expect.poll(deliveryOf, { timeout: 8_000, interval: 10 }).toBeDefined()
      return {
        path: '/api/webhooks/dead-letters/resend',
        first: { sessionId, delivery: await deliveryOf() },
        others: [{ all: true }, { sessionId, delivery: 'another' }, { all: true, from: 0 }],
      }
    },
  }
}

/** Every route that takes an Idempotency-Key. */
export async function keyedRoutes(): Promise<readonly KeyedRoute[]> {
  return [events, chat('customer'), chat('installer'), start, resume, await resend()]
}
