import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { BrokerPages } from './broker-pages.fixture.ts'
import { serveBrokerPages } from './broker-pages.fixture.ts'
import { sharedChromium, noChromium } from './chromium.fixture.ts'

/** The broker's pages and a browser for the tests of one file, there once its tests run. */
export interface BrokerSite {
  readonly broker: BrokerPages
  readonly browser: Browser
}

export function brokerSite(): BrokerSite {
  const site = {} as { broker: BrokerPages; browser: Browser } // Filled before the first test runs.
  beforeAll(async () => {
    if (noChromium) return
    site.broker = await serveBrokerPages()
    site.browser = await sharedChromium()
  })
  afterAll(async () => {
    if (noChromium) return
    await site.broker.close()
  })
  return site
}
