import { expect, test } from 'vitest'
import { caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { PHONE, noChromium, openPage } from './chromium.fixture.ts'
import { longestChain, slowDown, watchTraffic } from './page-traffic.fixture.ts'

/** Long enough that requests which are sent together are under way together. */
const NETWORK = { latencyMs: 400, bytesPerSecond: 50_000 }

/** All that a customer's phone receives before the first card can be answered. */
const BYTES_MAX = 115_000
const REQUESTS_MAX = 20

const site = brokerSite()

test.skipIf(noChromium)(
  '[surfaces 51] the first card needs few bytes and requests, and the link is exchanged while scripts load',
  async () => {
    const journey = await caseAfter(site.broker)
    const { page } = await openPage(site.browser, PHONE)
    const { session, transfers } = await watchTraffic(page)
    await slowDown(session, NETWORK)
    await page.goto(
      `${site.broker.url}/customer/${journey.sessionId}#token=${journey.tokens['customer']}`,
    )
    await page.getByRole('button', { name: 'I understand', exact: true, disabled: false }).waitFor()

    // Chromium loads icons beside the page, its headless shell none.
    const received = transfers().filter(({ path }) => !path.endsWith('.svg'))
    const bytes = received.reduce((sum, transfer) => sum + transfer.bytes, 0)
    expect(bytes).toBeLessThanOrEqual(BYTES_MAX)
    expect(received.length).toBeLessThanOrEqual(REQUESTS_MAX)
    const exchange = received.find(({ path }) => path === '/api/token')
    const scripts = received.filter(({ path }) => path.endsWith('.js'))
    const last = Math.max(...scripts.map(({ endedAt = Infinity }) => endedAt))
    expect(exchange?.startedAt).toBeLessThan(last)
    // The page, its first script, the exchange of the link, then what the case holds.
    const chain = longestChain(received)
    expect(chain.length).toBeLessThanOrEqual(5)
  },
)
