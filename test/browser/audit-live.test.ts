import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { fullTest } from '../tier.fixture.ts'
import { openAudit, rowOf, rowsOn } from './audit-page.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { intercept, look, noChromium } from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'

const site = brokerSite()

async function addNotes(thread: string, count: number): Promise<number> {
  const notes = Array.from({ length: count }, (_, at) => ({
    type: 'CUSTOM',
    data: { name: 'throughline.note', value: `Note ${at}` },
    origin: { source: 'system', depth: 0 } as const,
  }))
  await site.broker.log.append(thread, notes)
  return site.broker.log.head(thread)
}

const isInView = (page: Page, seq: number) =>
  rowOf(page, seq).evaluate((row) => {
    const { top, bottom } = row.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })

/** A hidden page lets its stream go, and asks for a new one when it is shown. */
const become = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((to) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => to })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

test.skipIf(noChromium)(
  '[surfaces 34] the badge checks the chain again when new records arrive',
  async () => {
    const journey = await Journey.start(site.broker)
    const { page } = await openAudit(site, journey)
    await page.getByText(/^✓Chain verified up to record \d+$/).waitFor()
    const head = await addNotes(journey.sessionId, 3)
    await page.getByText(`Chain verified up to record ${head}`).waitFor()
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 34] [surfaces 44] a check that failed while the server was away is made again once it is back',
  async () => {
    const journey = await Journey.start(site.broker)
    const { page } = await openAudit(site, journey)
    await page.getByText(/^✓Chain verified/).waitFor()
    const release = await intercept(page, '**/verify', (route) => route.abort())
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('The chain could not be checked').waitFor()
    release()
    await page.getByText(/^✓Chain verified/).waitFor()
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 22] a reader at the end of the timeline stays there as records arrive; a reader elsewhere is not moved',
  async () => {
    const journey = await Journey.start(site.broker)
    // The last page of 60 has more rows than fit on the screen, to the end of the test.
    const before = await addNotes(journey.sessionId, 80)
    const { page, faults, goTo } = await openAudit(site, journey)
    await goTo('?view=all')
    expect(await isInView(page, 0)).toBe(true)
    await addNotes(journey.sessionId, 1)
    const shownOf = (from: number, to: number, of: number) =>
      page.getByText(`${from} to ${to} of ${of}`, { exact: true }).waitFor()
    await shownOf(1, 60, before + 3)
    expect(await isInView(page, 0)).toBe(true)
    await page.getByRole('button', { name: 'Last', exact: true }).click()
    await rowOf(page, before + 1).scrollIntoViewIfNeeded()
    await rowOf(page, before + 1).hover()
    await page.mouse.wheel(0, 5_000)
    await expect.poll(() => isInView(page, before + 1)).toBe(true)
    for (let at = 0; at < 15; at++) {
      const seq = await addNotes(journey.sessionId, 1)
      await rowOf(page, seq).waitFor()
      await expect.poll(() => isInView(page, seq)).toBe(true)
    }
    await page.mouse.wheel(0, -5_000)
    const [row] = await rowsOn(page).all()
    await expect.poll(() => isInView(page, 60)).toBe(true)
    const top = await row?.boundingBox()
    const seq = await addNotes(journey.sessionId, 1)
    await rowOf(page, seq).waitFor()
    expect((await row?.boundingBox())?.y).toBe(top?.y)
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 44] without a connection the pager says that newer pages are missing, and tries again when asked',
  async () => {
    const journey = await Journey.start(site.broker)
    await addNotes(journey.sessionId, 70)
    const { page, goTo } = await openAudit(site, journey)
    await goTo('?view=all')
    await page.getByRole('button', { name: 'Last', exact: true }).waitFor()
    await become(page, 'hidden')
    const asked = Promise.withResolvers<void>()
    let isBack = false
    await page.route('**/events?*', async (route) => {
      if (!isBack) return route.abort()
      // The page also tries by itself: nothing is answered before the button is pressed.
      await asked.promise
      return route.continue()
    })
    await become(page, 'visible')
    const pages = page.getByRole('navigation', { name: 'Pages of the timeline' })
    await pages.getByText('No connection: newer pages are unavailable.').waitFor()
    await pages.getByRole('button', { name: 'Last', exact: true }).click()
    await look(page, 'audit-offline')
    await checkAccessible(page, 'offline')
    const head = await addNotes(journey.sessionId, 1)
    isBack = true
    await pages.getByRole('button', { name: 'Try again' }).click()
    asked.resolve()
    await rowOf(page, head).waitFor()
    expect(await pages.getByText('No connection').count()).toBe(0)
  },
)
