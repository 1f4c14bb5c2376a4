import { inject } from 'vitest'
import { REFERENCE_SENTENCE } from '../../apps/broker/journeys/journey.fixture.ts'
import { scriptedNarrator } from '../../apps/broker/narrator/index.ts'
import type { Misbehaviour } from '../../apps/broker/narrator/index.ts'
import { servePages } from './pages-server.fixture.ts'

export type BrokerPages = Awaited<ReturnType<typeof serveBrokerPages>>

/** How the scripted model writes: without pauses, or at a pace at which a test sees half a reply. */
export type Pace = 'at once' | 'readable'

interface ServedPagesOptions {
  readonly pace?: Pace
  readonly misbehave?: Misbehaviour
}

/** The broker and its pages from this process. */
export async function serveBrokerPages({ pace = 'at once', misbehave }: ServedPagesOptions = {}) {
  const { model, prepare } = pacedModel({ pace, ...(misbehave && { misbehave }) })
  const server = await servePages({ model, folder: inject('pages') })
  return {
    ...server,
    /** Does what only prepares a test, while the model answers without pauses. */
    prepare,
    /** A case that its installer has handed over: the addresses of its pages. */
    async openCase(demoScenario: 'auto' | 'counter' | 'decline' = 'auto') {
      const created = await post(`${server.url}/api/session`, { demoScenario })
      const { sessionId, tokens: held, links } = created
      const body = { sessionId, userMessage: REFERENCE_SENTENCE }
      await prepare(() => post(`${server.url}/api/chat/installer`, body, held.installer))
      return {
        sessionId,
        tokens: held,
        customer: new URL(links.customer, server.url).href,
        installer: new URL(links.installer, server.url).href,
      }
    },
  }
}

function pacedModel({ pace, ...options }: ServedPagesOptions) {
  const fast = scriptedNarrator({ chunkDelayMs: 0, ...options })
  const asked = pace === 'readable' ? scriptedNarrator({ chunkDelayMs: 15, ...options }) : fast
  let preparations = 0
  const model: typeof fast = {
    ...fast,
    doStream: (call) => (preparations > 0 ? fast : asked).doStream(call),
  }
  const prepare = async <Prepared>(work: () => Promise<Prepared>): Promise<Prepared> => {
    preparations++
    try {
      return await work()
    } finally {
      preparations--
    }
  }
  return { model, prepare }
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
