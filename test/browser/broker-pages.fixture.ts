import { inject } from 'vitest'
import { REFERENCE_SENTENCE } from '../../apps/broker/journeys/journey.fixture.ts'
import { scriptedNarrator } from '../../apps/broker/narrator/index.ts'
import type { Misbehaviour } from '../../apps/broker/narrator/index.ts'
import { servePages } from './pages-server.fixture.ts'

export type BrokerPages = Awaited<ReturnType<typeof serveBrokerPages>>

/** The broker and its pages from this process, whose model writes at a pace that people can see. */
export async function serveBrokerPages(misbehave?: Misbehaviour) {
  const { model, atOnce } = pacedModel(misbehave)
  const server = await servePages({ model, folder: inject('pages') })
  return {
    ...server,
    /** Does what only prepares a test, while the model answers without pauses. */
    prepare: atOnce,
    /** A case that its installer has handed over: the addresses of its pages. */
    async openCase(demoScenario: 'auto' | 'counter' | 'decline' = 'auto') {
      const created = await post(`${server.url}/api/session`, { demoScenario })
      const { sessionId, tokens: held, links } = created
      const body = { sessionId, userMessage: REFERENCE_SENTENCE }
      await atOnce(() => post(`${server.url}/api/chat/installer`, body, held.installer))
      return {
        sessionId,
        tokens: held,
        customer: new URL(links.customer, server.url).href,
        installer: new URL(links.installer, server.url).href,
      }
    },
  }
}

function pacedModel(misbehave?: Misbehaviour) {
  const options = misbehave ? { misbehave } : {}
  const slow = scriptedNarrator({ chunkDelayMs: 15, ...options })
  const fast = scriptedNarrator(options)
  let preparations = 0
  const model: typeof slow = {
    ...slow,
    doStream: (call) => (preparations > 0 ? fast : slow).doStream(call),
  }
  const atOnce = async <Prepared>(prepare: () => Promise<Prepared>): Promise<Prepared> => {
    preparations++
    try {
      return await prepare()
    } finally {
      preparations--
    }
  }
  return { model, atOnce }
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
