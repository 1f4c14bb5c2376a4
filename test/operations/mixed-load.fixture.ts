import { createParser } from 'eventsource-parser'
import { takeTurn } from '../../apps/broker/journeys/page-turn.fixture.ts'
import type { PageTurn } from '../../apps/broker/journeys/page-turn.fixture.ts'

interface Started {
  readonly sessionId: string
  readonly tokens: Readonly<Record<'installer' | 'customer' | 'auditor', string>>
}

const HANDED_OVER = [
  {
    type: 'record_project_facts',
    data: { projectValue: 17_500, depositPct: 10, productSpec: 'panels_battery' },
  },
  {
    type: 'record_customer_contact',
    data: { firstName: 'Sarah', email: 'sarah@example.com', mobile: '07700 900 123' },
  },
  { type: 'installer_handoff_complete', data: {} },
]

/** A user that begins cases, walks through them, reads them in every way and makes mistakes, one after another. */
export class Visitor {
  readonly #url: string
  requests = 0
  readonly failures: string[] = []

  constructor(url: string) {
    this.#url = url
  }

  async visit(): Promise<void> {
    const started = await this.#begin()
    const streams = [
      this.#follow(started, 'customer'),
      this.#follow(started, 'auditor', '?view=agent'),
    ]
    await this.#live(started)
    await this.#read(started)
    await this.#fail(started)
    await this.#askAgents()
    for (const stream of streams) await (await stream)()
  }

  async #begin(): Promise<Started> {
    return (await this.#ask('/api/session', { body: { demoScenario: 'clean' } })) as Started
  }

  async #live({ sessionId, tokens }: Started): Promise<void> {
    const turn = async (side: 'installer' | 'customer', taken: PageTurn) => {
      const headers = { authorization: `Bearer ${tokens[side]}` }
      const told = await takeTurn({ url: this.#url, thread: sessionId, side, headers }, taken)
      // The run, its stream, and the case afterwards.
      this.requests += 3
      if (told.end !== 'finished') this.failures.push(`${side}: ${JSON.stringify(told)}`)
    }
    await turn('installer', { directEvents: HANDED_OVER })
    await turn('customer', { isFirstTurn: true })
    await turn('customer', { userMessage: 'Are you a lender? '.repeat(20) })
    const acknowledged = { type: 'acknowledge_disclosure', data: { id: 'service_status' } }
    await turn('customer', { directEvents: [acknowledged] })
    const events = [{ type: 'withdraw', data: { reason: 'I changed my mind' } }]
    const path = `/api/threads/${sessionId}/events`
    await this.#ask(path, { token: tokens.customer, body: { events } })
  }

  async #read({ sessionId, tokens }: Started): Promise<void> {
    const thread = `/api/threads/${sessionId}`
    const token = tokens.auditor
    for (const path of [
      `${thread}/events`,
      `${thread}/state`,
      `${thread}/state?at=3`,
      `${thread}/verify`,
      `/api/audit/${sessionId}`,
      `/api/threads?limit=10`,
    ]) {
      await this.#ask(path, { token })
    }
    await this.#text(`${thread}/export?format=csv`, token)
  }

  async #fail({ sessionId, tokens }: Started): Promise<void> {
    const token = tokens.customer
    await this.#ask(`/api/threads/${crypto.randomUUID()}/state`, { token })
    await this.#ask(`/api/threads/${sessionId}/state?at=x`, { token })
    await this.#ask(`/api/threads/${sessionId}/runs`, { token, body: { wrong: true } })
    await this.#ask('/api/token', { body: { token: 'a.b.c' } })
  }

  async #askAgents(): Promise<void> {
    const body = { agent: 'policy', input: 'How long may a lamp be returned?' }
    await this.#ask(`/api/threads/desk-${crypto.randomUUID()}/runs`, { body })
  }

  /** Follows a thread until told to stop. */
  async #follow({ sessionId, tokens }: Started, role: 'customer' | 'auditor', query = '') {
    const leaving = new AbortController()
    const response = await fetch(`${this.#url}/api/threads/${sessionId}/events${query}`, {
      headers: { authorization: `Bearer ${tokens[role]}`, accept: 'text/event-stream' },
      signal: leaving.signal,
    })
    const parser = createParser({ onEvent: () => undefined })
    const reading = (async () => {
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk))
    })().catch(() => undefined)
    return async () => {
      leaving.abort()
      await reading
    }
  }

  async #ask(
    path: string,
    { token, body, key }: { token?: string; body?: unknown; key?: string } = {},
  ): Promise<unknown> {
    const response = await fetch(`${this.#url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    this.requests++
    const text = await response.text()
    if (response.status >= 500) this.failures.push(`${path}: ${response.status} ${text}`)
    return JSON.parse(text) as unknown
  }

  async #text(path: string, token: string): Promise<void> {
    const response = await fetch(`${this.#url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    this.requests++
    await response.text()
  }
}
