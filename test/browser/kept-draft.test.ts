import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { KEPT_TEXTS_MAX, KEPT_TEXT_CHARS_MAX } from '../../apps/kit/browser-storage.ts'
import { fullTest } from '../tier.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { inspect, openAtCard, walkCards } from './case-page.fixture.ts'
import { blockStorage, PHONE, noChromium, openPage } from './chromium.fixture.ts'
import { chooseHelp, settled } from './customer-page.fixture.ts'
import { fillAboutYou, press, shows } from './journey-steps.fixture.ts'

const site = brokerSite()
const DETAILS = 4

const addressOn = (page: Page) => page.getByLabel('The address to come back to').inputValue()

/** Returns the texts in the browser's storage. */
const keptIn = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).map(([name, text]) => `${name} ${text}`))

async function typeTwoParts(page: Page): Promise<void> {
  await fillAboutYou(page)
  await shows(page, 'Where do you live?')
  await page.getByLabel('Postcode').fill('SW1A 1AA')
}

test.skipIf(noChromium)(
  '[surfaces 12] the draft of two parts of the details is there in a second tab at the saved address, and removed once it is recorded',
  async () => {
    const { page, context } = await openAtCard(site, DETAILS)
    await typeTwoParts(page)
    await chooseHelp(page, 'Save and come back')
    await shows(page, 'Come back when you like')
    await page.getByText('What you typed in step 4 is kept in this browser only.').waitFor()
    await page.getByText('Steps 1 to 3 are saved with us').waitFor()
    await inspect(page, 'saved-with-draft')
    const address = await addressOn(page)
    await page.close()
    const next = await context.newPage()
    await next.goto(address)
    await shows(next, 'Where do you live?')
    expect(await next.getByLabel('Postcode').inputValue()).toBe('SW1A 1AA')
    await settled(next)
    await next.goBack()
    await press(next, 'Back to step 4')
    await press(next, 'Type the address instead')
    await next.getByLabel('Address line 1').fill('1 High Street')
    await next.getByLabel('Town or city').fill('London')
    await press(next, 'Continue')
    await next.getByRole('radio', { name: 'Employed', exact: true }).check()
    await next.getByLabel('Income in a year').fill('42000')
    await next.getByLabel('What you spend in a month').fill('1400')
    await press(next, 'Check your answers')
    await next.getByText('Sarah Jones').waitFor()
    expect((await keptIn(next)).join(' ')).toContain('High Street')
    await press(next, 'These are right. Save them')
    await shows(next, 'Would any support help you?')
    expect((await keptIn(next)).join(' ')).not.toContain('High Street')
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 12] the draft can be removed from the browser, and ends with the application',
  async () => {
    const { page, journey } = await openAtCard(site, DETAILS)
    await typeTwoParts(page)
    await chooseHelp(page, 'Save and come back')
    await press(page, 'Remove what I typed')
    await page.getByText('We removed what you typed.').waitFor()
    expect((await keptIn(page)).join(' ')).not.toContain('SW1A')
    await press(page, 'Carry on now')
    await shows(page, 'Where do you live?')
    const postcode = page.getByLabel('Postcode')
    expect(await postcode.inputValue()).toBe('')
    await postcode.fill('SW1A 1AA')
    expect((await keptIn(page)).join(' ')).toContain('SW1A')
    await journey.click(['withdraw', {}])
    await shows(page, 'You withdrew your application')
    await expect.poll(async () => (await keptIn(page)).join(' ')).not.toContain('SW1A')
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 12] without storage the page warns that the draft is lost with the tab, and keeps it until then',
  async () => {
    const { page } = await openAtCard(site, DETAILS)
    await blockStorage(page)
    await page.reload()
    await shows(page, 'About you')
    await typeTwoParts(page)
    await chooseHelp(page, 'Save and come back')
    await page
      .getByText('What you typed in step 4 is lost when you close this page', { exact: false })
      .waitFor()
    expect(await page.getByText('is kept in this browser').count()).toBe(0)
    await press(page, 'Carry on now')
    await shows(page, 'Where do you live?')
    expect(await page.getByLabel('Postcode').inputValue()).toBe('SW1A 1AA')
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 12] a browser keeps a bounded number of forms, none too long, and the newest',
  async () => {
    const { page } = await openAtCard(site, DETAILS)
    await page.evaluate((count) => {
      for (let at = 0; at < count; at++) {
        const text = JSON.stringify({ at, text: '{}' })
        localStorage.setItem(`throughline.kept details old-${at}`, text)
      }
    }, KEPT_TEXTS_MAX)
    await page.getByLabel('Full name').fill('Sarah Jones')
    const kept = await keptIn(page)
    expect(kept.length).toBe(1)
    expect(kept[0]).toContain('Sarah Jones')
    expect(KEPT_TEXT_CHARS_MAX).toBeGreaterThanOrEqual(kept[0]?.length ?? 0)
  },
)

test.skipIf(noChromium)(
  '[B053] the address to come back to is short, opens in this browser, and names no fault of ours elsewhere',
  async () => {
    const { page, journey, context } = await openAtCard(site, 2)
    await chooseHelp(page, 'Save and come back')
    const address = await addressOn(page)
    expect(address).toBe(`${site.broker.url}/customer/${journey.sessionId}`)
    const again = await context.newPage()
    await again.goto(address)
    await shows(again, 'How long do you want to repay?')
    const stranger = await openPage(site.browser, PHONE)
    await stranger.page.goto(address)
    await shows(stranger.page, 'Open your application with your link')
    await stranger.page.getByText('Your answers are safe.').waitFor()
    expect(await stranger.page.getByText('cannot find').count()).toBe(0)
    await inspect(stranger.page, 'opened-elsewhere')
    await press(page, 'Carry on now')
    await walkCards(page, 2, 3)
  },
)
