import type { Page } from 'playwright-core'
import { expect, inject, onTestFinished } from 'vitest'
import { Journey, REFERENCE_SENTENCE, walk } from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { scriptedNarrator } from '../../apps/broker/narrator/index.ts'
import { openAudit } from './audit-page.fixture.ts'
import { sharedChromium } from './chromium.fixture.ts'
import { servePages } from './pages-server.fixture.ts'

const OPERATOR_TOKEN = 'open-sesame-said-the-operator-of-it'

/** The audit page of a case on a server that has an operator. */
export async function openOperatedAudit() {
  const model = scriptedNarrator({ chunkDelayMs: 0 })
  const folder = inject('pages')
  const broker = await servePages({ model, folder, operatorToken: OPERATOR_TOKEN })
  onTestFinished(() => broker.close())
  const body = { demoScenario: 'clean' }
  const started = await request(`${broker.url}/api/session`, { token: OPERATOR_TOKEN, body })
  const journey = new Journey(broker, started.body)
  await journey.say('installer', REFERENCE_SENTENCE)
  await walk(journey)
  const browser = await sharedChromium()
  // The fixture knows a site by its pages; this one holds no model back.
  const site = { broker, browser } as unknown as Parameters<typeof openAudit>[0]
  return { ...(await openAudit(site, journey)), broker, journey }
}

/** Signs the browser in as the start page does. */
export async function signInAsOperator(page: Page): Promise<void> {
  const status = await page.evaluate(async (token) => {
    const body = JSON.stringify({ token, purpose: 'keep' })
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/token', { method: 'POST', headers, body })).status
  }, OPERATOR_TOKEN)
  expect(status).toBe(200)
}
