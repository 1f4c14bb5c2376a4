import { createHash, randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { inject } from 'vitest'
import { brokerApplication } from '../../apps/broker/application.ts'
import { REFERENCE_SENTENCE } from '../../apps/broker/journeys/journey.fixture.ts'
import { scriptedNarrator } from '../../apps/broker/narrator/index.ts'
import type { Misbehaviour } from '../../apps/broker/narrator/index.ts'
import { MemoryLog } from '../../src/log/index.ts'
import { Tokens, serve } from '../../src/server/index.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const id: () => string = randomUUID

const PAGES = {
  '/installer/:id': 'broker/installer/index.html',
  '/customer/:id': 'broker/customer/index.html',
  '/broker/disclosure/:id/:disclosureId': 'broker/customer/hosted/index.html',
}

export type BrokerPages = Awaited<ReturnType<typeof serveBrokerPages>>

/** The broker and its pages from this process. */
export async function serveBrokerPages(misbehave?: Misbehaviour) {
  const log = new MemoryLog({ hash: sha256, now: Date.now, id })
  const tokens = new Tokens('a secret')
  const model = scriptedNarrator({ chunkDelayMs: 15, ...(misbehave ? { misbehave } : {}) })
  const broker = brokerApplication({ log, model, tokens, now: Date.now, id, sha256 })
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    log,
    tokens,
    store: 'memory',
    version: 'test',
    applications: [broker],
    pages: { folder: inject('pages'), routes: PAGES },
    logger: pino({ level: 'silent' }),
  })
  return {
    url: server.url,
    /** A case that its installer has handed over: the addresses of its pages. */
    async openCase(demoScenario: 'auto' | 'counter' | 'decline' = 'auto') {
      const created = await post(`${server.url}/api/session`, { demoScenario })
      const { sessionId, tokens: held, links } = created
      await post(
        `${server.url}/api/chat/installer`,
        { sessionId, userMessage: REFERENCE_SENTENCE },
        held.installer,
      )
      return {
        sessionId,
        tokens: held,
        customer: new URL(links.customer, server.url).href,
        installer: new URL(links.installer, server.url).href,
      }
    },
    log,
    close: () => server.close(),
  }
}

interface CreatedCase {
  readonly sessionId: string
  readonly tokens: { readonly installer: string; readonly customer: string }
  readonly links: { readonly installer: string; readonly customer: string }
}

async function post(url: string, body: object, token?: string): Promise<CreatedCase> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  return (await response.json()) as CreatedCase
}
