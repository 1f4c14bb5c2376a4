import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fullTest } from '../tier.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { walkCards } from './case-page.fixture.ts'
import { PHONE, TABLET, noChromium, openPage } from './chromium.fixture.ts'
import { CARDS, FINISHED, checkAccessible, press, shows } from './journey-steps.fixture.ts'

const site = brokerSite()

/** Headless Chromium never hides a page, so the test says which ones are. */
async function hidePages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    let state = 'visible'
    Object.defineProperty(document, 'visibilityState', { get: () => state })
    Object.assign(globalThis, {
      become(next: string) {
        state = next
        document.dispatchEvent(new Event('visibilitychange'))
      },
    })
  })
}

const become = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(
    (next) => (globalThis as unknown as { become(to: string): void }).become(next),
    state,
  )

fullTest.skipIf(noChromium)(
  '[surfaces 39] eight tabs of one browser all work: those that are hidden let their stream go',
  async () => {
    const { customer } = await site.broker.openCase()
    const { context } = await openPage(site.browser, PHONE)
    await hidePages(context)
    const pages: Page[] = []
    for (let count = 0; count < 8; count++) {
      const page = await context.newPage()
      await page.goto(customer)
      await page.getByRole('heading', { name: 'Here is who we are' }).waitFor()
      pages.push(page)
      if (count < 7) await become(page, 'hidden')
    }
    const [first, last] = [pages[0], pages[7]]
    if (!first || !last) return
    await press(last, 'I understand')
    await shows(last, 'Can you apply?')
    expect(await first.getByRole('heading', { name: 'Can you apply?' }).count()).toBe(0)
    await become(last, 'hidden')
    await become(first, 'visible')
    await shows(first, 'Can you apply?')
    await context.close()
  },
)

test.skipIf(noChromium)(
  '[surfaces 2] a page without a connection shows an error and possible remedies',
  async () => {
    const { customer } = await site.broker.openCase()
    const { page } = await openPage(site.browser, PHONE)
    const held: (() => Promise<void>)[] = []
    await page.route('**/events?*', (route) => void held.push(() => route.continue()))
    await page.clock.install()
    await page.goto(customer)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    await page.clock.fastForward(20_000)
    await page.getByText('There is no connection yet').waitFor()
    await checkAccessible(page, 'late')
    for (const release of held) await release()
    await shows(page, 'Here is who we are')
    expect(await page.getByText('There is no connection yet').count()).toBe(0)
  },
)

const PERSONAL = /sarah|example\.com|07700|900123|jones|SW1A|high.?street|42000|1984|token=/i

test.skipIf(noChromium)(
  '[B052] [B053] the link to share carries no seed, and no address that is asked for or shown carries a person',
  async () => {
    const opened = await site.broker.openCase()
    const installer = await openPage(site.browser, TABLET)
    await installer.page.goto(opened.installer)
    await press(installer.page, 'Show the customer link')
    const link = await installer.page.getByLabel('Customer link').inputValue()
    expect(link).toMatch(/^http:[^?#]+#token=[^&]+$/)
    const { page } = await openPage(site.browser, PHONE)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url().split('#')[0] ?? ''))
    await page.goto(link)
    await walkCards(page, 0, CARDS.length)
    await shows(page, FINISHED)
    await expect.poll(() => page.url()).toContain('#seed=')
    const shown = new URL(page.url())
    expect(shown.search).toBe('')
    for (const url of [...asked, page.url()]) expect(url).not.toMatch(PERSONAL)
    for (const part of shown.hash.slice('#seed='.length).split('.')) {
      expect(Buffer.from(part, 'base64url').toString('latin1')).not.toMatch(PERSONAL)
    }
    const stranger = await openPage(site.browser, PHONE)
    await stranger.page.goto(page.url())
    await shows(stranger.page, 'Open your application with your link')
    await stranger.page.getByText('Open the link that your installer gave you.').waitFor()
    expect(await stranger.page.getByText('Sarah').count()).toBe(0)
  },
)
