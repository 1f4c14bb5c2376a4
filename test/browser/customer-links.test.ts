import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'
import { PHONE, intercept, noChromium, openPage } from './chromium.fixture.ts'
import { settled } from './customer-page.fixture.ts'
import { checkAccessible, shows } from './journey-steps.fixture.ts'

const site = brokerSite()

const stepOn = (page: Page, step: number, name: string) =>
  page.getByRole('banner').getByText(`Step ${step} of 8${name}`, { exact: true })

async function checkHistoryHasNoToken(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const { entries } = await browser.send('Page.getNavigationHistory')
  expect(entries.filter(({ url }) => url.includes('token'))).toEqual([])
}

test.skipIf(noChromium)(
  '[surfaces 49] a link that is opened again in the same tab and in a second one shows the same step twice',
  async () => {
    const { page, journey, context } = await openAtCard(site, 2)
    const link = `${site.broker.url}/customer/${journey.sessionId}#token=${journey.tokens.customer}`
    const second = await context.newPage()
    for (const each of [page, second]) {
      await each.evaluate(() => void Object.assign(globalThis, { before: true }))
      await each.goto(link)
      // The page of the link before shows the same until the browser has left it.
      await expect.poll(() => each.evaluate(() => 'before' in globalThis)).toBe(false)
      await shows(each, 'How long do you want to repay?')
      await settled(each)
      await expect.poll(() => each.url()).not.toContain('token=')
      await expect.poll(() => each.url()).toContain('seed=')
      await settled(each)
      await checkHistoryHasNoToken(each)
      // A browser that is about to go back stays where the page writes its address just then.
      await expect
        .poll(
          async () => {
            await each.evaluate(() => history.back())
            return stepOn(each, 2, ', answered')
              .waitFor({ timeout: 8_000 })
              .then(
                () => true,
                () => false,
              )
          },
          { interval: 1 },
        )
        .toBe(true)
    }
  },
)

test.skipIf(noChromium)(
  '[surfaces 49] no entry of the history holds the token of a link, though the page was reloaded before it was exchanged',
  async () => {
    const journey = await caseAfter(site.broker)
    const { page, context } = await openPage(site.browser, PHONE)
    const address = `${site.broker.url}/customer/${journey.sessionId}`
    const link = `${address}#token=${journey.tokens.customer}`
    await page.goto(`${address}#token=cut-short`)
    await shows(page, 'This link does not open an application')
    expect(page.url()).not.toContain('token')
    const release = await intercept(context, '**/api/token', (route) => route.abort())
    await page.evaluate((next) => location.assign(next), link)
    await expect.poll(() => page.url()).not.toContain('token')
    // The server has not said whether the link is right, so the page must not blame the link.
    await shows(page, 'There is no connection yet')
    await checkAccessible(page, 'no connection')
    const tried = page.waitForRequest('**/api/token')
    await page.reload()
    await tried
    release()
    await shows(page, 'Here is who we are')
    await page.evaluate((next) => location.assign(next), link)
    await shows(page, 'Here is who we are')
    await expect.poll(() => page.url()).not.toContain('token')
    await checkHistoryHasNoToken(page)
    expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain('token')
  },
)
