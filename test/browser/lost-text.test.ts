import { expect, test } from 'vitest'
import { fullTest } from '../tier.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'
import { noChromium } from './chromium.fixture.ts'
import { settled } from './customer-page.fixture.ts'
import { startCuttableProxy } from './cuttable-proxy.fixture.ts'
import { press, shows } from './journey-steps.fixture.ts'

const site = brokerSite()

/** A page at the third step, behind a server that can go away. */
async function openBehindProxy() {
  const proxy = await startCuttableProxy(site.broker.url)
  const { page, journey } = await openAtCard(site, 2)
  await page.goto(`${proxy.url}/customer/${journey.sessionId}#token=${journey.tokens.customer}`)
  await shows(page, 'How long do you want to repay?')
  await settled(page)
  await page.goBack()
  await page.getByRole('button', { name: 'Back to step 3' }).waitFor()
  return { page, proxy }
}

test.skipIf(noChromium)(
  '[surfaces 2] [surfaces 44] a text that could not be loaded comes by itself once the server is back',
  async () => {
    const { page, proxy } = await openBehindProxy()
    proxy.goAway()
    await page.goBack()
    await page.getByText('We could not load the text').waitFor()
    proxy.comeBack()
    await page.getByText('We are a credit broker').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 2] [surfaces 44] an estimate that could not be loaded comes by itself once the server is back',
  async () => {
    const { page, proxy } = await openBehindProxy()
    proxy.goAway()
    await press(page, 'Back to step 3')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    proxy.comeBack()
    await page.getByRole('radio', { name: '10 years' }).waitFor()
  },
)
