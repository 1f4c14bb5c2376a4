import { inject } from 'vitest'
import { REFERENCE_SENTENCE } from '../../apps/broker/journeys/journey.fixture.ts'
import { takeTurn } from '../../apps/broker/journeys/page-turn.fixture.ts'
import { scriptedNarrator } from '../../apps/broker/narrator/index.ts'
import type { Misbehaviour } from '../../apps/broker/narrator/index.ts'
import { HeldModels } from './held-model.fixture.ts'
import { servePages } from './pages-server.fixture.ts'

export type BrokerPages = Awaited<ReturnType<typeof serveBrokerPages>>

/** The broker and its pages from this process. Its model writes without pauses. */
export async function serveBrokerPages(misbehave?: Misbehaviour) {
  const models = new HeldModels()
  const narrator = scriptedNarrator({ chunkDelayMs: 0, ...(misbehave && { misbehave }) })
  const server = await servePages({ model: models.holdable(narrator), folder: inject('pages') })
  return {
    ...server,
    holdAt: (words: string) => models.holdAt(words),
    /** A case that its installer has handed over: the addresses of its pages. */
    async openCase(demoScenario: 'auto' | 'counter' | 'decline' = 'auto') {
      const created = await post(`${server.url}/api/session`, { demoScenario })
      const { sessionId, tokens: held, links } = created
      const headers = { authorization: `Bearer ${held.installer}` }
      const page = { url: server.url, thread: sessionId, side: 'installer', headers } as const
      await takeTurn(page, { userMessage: REFERENCE_SENTENCE })
      return {
        sessionId,
        tokens: held,
        customer: new URL(links.customer, server.url).href,
        installer: new URL(links.installer, server.url).href,
      }
    },
  }
}

interface CreatedCase {
  readonly sessionId: string
  readonly tokens: { readonly installer: string; readonly customer: string }
  readonly links: { readonly installer: string; readonly customer: string }
}

async function post(url: string, body: object): Promise<CreatedCase> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as CreatedCase
}
