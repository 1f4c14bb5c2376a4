import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { inspect } from './case-page.fixture.ts'
import { TABLET, noChromium, openPage } from './chromium.fixture.ts'
import { composer, settled } from './customer-page.fixture.ts'
import { press } from './journey-steps.fixture.ts'

const site = brokerSite()

async function openInstaller() {
  const { sessionId, tokens } = await Journey.start(site.broker)
  const { page, faults } = await openPage(site.browser, TABLET)
  await page.goto(`${site.broker.url}/installer/${sessionId}#token=${tokens.installer}`)
  await composer(page).waitFor()
  return { page, faults }
}

async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await press(page, 'Send')
  await settled(page)
}

test.skipIf(noChromium)(
  '[B005] the page is named for its customer, and its retailer is a default until the installer names one',
  async () => {
    const { page, faults } = await openInstaller()
    const retailer = page.getByText('Demonstration Solar')
    await retailer.waitFor()
    expect(await page.title()).toBe('New customer')
    await page.getByText('A default, as nobody has named one').waitFor()
    await say(page, "We're Sunny Roofs Ltd, the customer is Sarah Jones")
    await page.getByText('Sunny Roofs Ltd', { exact: true }).waitFor()
    expect(await retailer.count()).toBe(0)
    expect(await page.getByText('A default').count()).toBe(0)
    await page.getByRole('heading', { level: 1, name: 'Customer: Sarah Jones' }).waitFor()
    await expect.poll(() => page.title()).toBe('Customer: Sarah Jones')
    await page.reload()
    await expect.poll(() => page.title()).toBe('Customer: Sarah Jones')
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[B003] the assistant says where the link is, which is there, and never that it was sent',
  async () => {
    const { page, faults } = await openInstaller()
    await say(page, '12k for solar, no deposit, Sarah, sarah@example.com, 07700 900 123')
    await page.getByLabel('Customer link').waitFor()
    await say(page, 'has it been sent to her?')
    const log = page.getByRole('log')
    const told = log.getByText('with the facts on this page, to show or copy')
    await expect.poll(() => told.count()).toBe(2)
    expect((await log.textContent())?.replaceAll('nothing is sent', '')).not.toMatch(
      /\b(?:sending|was sent)\b/i,
    )
    await inspect(page, 'installer-link')
    expect(faults).toEqual([])
  },
)
