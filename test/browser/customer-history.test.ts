import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { CUSTOMER_STEPS, caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import { fullTest } from '../tier.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard, walkCards } from './case-page.fixture.ts'
import { blockStorage, PHONE, noChromium, openPage } from './chromium.fixture.ts'
import {
  ask,
  askLine,
  chooseHelp,
  closeTalk,
  composer,
  openTalk,
  settled,
  spokenMessage,
} from './customer-page.fixture.ts'
import { CARDS, FINISHED, press, shows } from './journey-steps.fixture.ts'

const site = brokerSite()

const headingOf = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
const showsStep = (page: Page, step: number, name: string) =>
  page.getByRole('banner').getByText(`Step ${step} of 8${name}`, { exact: true }).waitFor()

/** The name and step of each answered place, the last one first. */
const ANSWERED = [
  ['Check and send', 7],
  ['Credit search', 6],
  ['Support', 5],
  ['Your details', 4],
  ['Your payments', 3],
  ['Your payments', 3],
  ['Can you apply?', 2],
  ['About our service', 1],
] as const

/** The places whose answer is about a text. */
const TEXTS: readonly string[] = ['Check and send', 'Credit search', 'About our service']

test.skipIf(noChromium)(
  '[surfaces 49] Back goes through every answered step, read-only, and Forward through them again to the open one',
  async () => {
    const { page, faults } = await openAtCard(site, 0)
    await walkCards(page, 0, 8)
    await shows(page, 'will lend to you')
    await settled(page)
    const open = await headingOf(page)
    await showsStep(page, 8, '')
    for (const [name, step] of ANSWERED) {
      await page.goBack()
      await showsStep(page, step, ', answered')
      await expect.poll(() => headingOf(page)).toBe(name)
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name)
      await page.getByText('You answered this').waitFor()
      expect(await page.getByRole('main').getByRole('radio').count()).toBe(0)
      // A text that said "Nothing has been sent yet" is a text of that time.
      if (TEXTS.includes(name)) await shows(page, 'The text as you read it then')
    }
    expect(page.url()).toContain('/customer/')
    for (const [name] of ANSWERED.toReversed().slice(1)) {
      await page.goForward()
      await expect.poll(() => headingOf(page)).toBe(name)
    }
    await page.goForward()
    await expect.poll(() => headingOf(page)).toBe(open)
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 49] a link opened in the middle of the journey goes back through its answers, and never out of the site',
  async () => {
    const { page } = await openAtCard(site, 4)
    const open = await headingOf(page)
    for (const [name, step] of ANSWERED.slice(4)) {
      await page.getByRole('button', { name: 'Back to the step before' }).click()
      await showsStep(page, step, ', answered')
      await expect.poll(() => headingOf(page)).toBe(name)
    }
    expect(await page.getByRole('button', { name: 'Back to the step before' }).count()).toBe(0)
    await press(page, 'Back to step 4')
    await expect.poll(() => headingOf(page)).toBe(open)
    await page.goBack()
    await showsStep(page, 3, ', answered')
    await page.reload()
    await showsStep(page, 3, ', answered')
    await page.goForward()
    await expect.poll(() => headingOf(page)).toBe(open)
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 49] Change opens the answer again where the rules allow it, and saving or leaving it leads back',
  async () => {
    const { page, journey } = await openAtCard(site, 4)
    const open = await headingOf(page)
    await page.goBack()
    await page.goBack()
    await showsStep(page, 3, ', answered')
    await press(page, 'Change it')
    await shows(page, 'How long do you want to repay?')
    await press(page, 'Cancel')
    await showsStep(page, 3, ', answered')
    await press(page, 'Change it')
    await page.getByRole('radio', { name: '15 years' }).check()
    await press(page, 'Continue with 15 years')
    await showsStep(page, 3, ', answered')
    await page.getByRole('main').getByText('£28,398.60').waitFor()
    expect(await journey.state()).toMatchObject({ provisionalQuote: { termMonths: 180 } })
    await press(page, 'Back to step 4')
    await expect.poll(() => headingOf(page)).toBe(open)
    await page.goBack()
    await page.goBack()
    await page.goBack()
    await showsStep(page, 2, ', answered')
    expect(await page.getByRole('button', { name: 'Change it' }).count()).toBe(0)
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 49] Back closes whatever stands over the card, and the card stays where it was',
  async () => {
    const { page } = await openAtCard(site, 2)
    const open = await headingOf(page)
    await openTalk(page)
    expect(page.url()).toMatch(/[#&]ask$/)
    await page.goBack()
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
    expect(page.url()).not.toMatch(/[#&]ask/)
    for (const [way, title] of [
      ['Speak to a person', 'Speak to a person'],
      ['Your answers so far', 'Your answers so far'],
      ['Withdraw', 'Withdraw your application?'],
    ] as const) {
      await chooseHelp(page, way)
      await page.getByRole('dialog', { name: title }).waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
      expect(await headingOf(page)).toBe(open)
    }
    await openTalk(page)
    await page.reload()
    await page.getByRole('dialog', { name: 'Ask a question' }).waitFor()
    await closeTalk(page)
    expect(await headingOf(page)).toBe(open)
    await page.goBack()
    await showsStep(page, 2, ', answered')
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 49] a sheet that is asked to close several times at once closes once, and the page stays',
  async () => {
    const { page } = await openAtCard(site, 2)
    const open = await headingOf(page)
    const entries = await page.evaluate(() => history.length)
    await openTalk(page)
    await page.evaluate(() => {
      const dialog = document.querySelector('dialog[open]')
      const button = dialog?.querySelector('button')
      for (let time = 0; time < 3; time++) button?.click()
      dialog?.dispatchEvent(new Event('close'))
    })
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
    await settled(page)
    expect(await headingOf(page)).toBe(open)
    expect(await page.getByText('You answered this').count()).toBe(0)
    await openTalk(page)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
    expect([await headingOf(page), await page.evaluate(() => history.length)]).toEqual([
      open,
      entries + 1,
    ])
  },
)

test.skipIf(noChromium)(
  '[surfaces 49] an answer from another device moves the open step on, but not a page that shows an answered step',
  async () => {
    const { page, journey, context } = await openAtCard(site, 2)
    const reading = await context.newPage()
    await reading.goto(page.url())
    await shows(reading, 'How long do you want to repay?')
    await settled(reading)
    await reading.goBack()
    await showsStep(reading, 2, ', answered')
    await CUSTOMER_STEPS[3]?.(journey)
    await shows(page, 'Shall we email you this estimate?')
    await page.goBack()
    await showsStep(page, 3, ', answered')
    await showsStep(reading, 2, ', answered')
    await press(reading, 'Back to step 3')
    await shows(reading, 'Shall we email you this estimate?')
  },
)

test.skipIf(noChromium)(
  '[surfaces 49] Back in the middle of a consent keeps no half of it, and an older address loses nothing that is newer',
  async () => {
    const { page, journey } = await openAtCard(site, 6)
    await shows(page, 'May lenders check your credit file?')
    const early = page.url()
    await page.goBack()
    await showsStep(page, 5, ', answered')
    expect(await journey.state()).toMatchObject({ consents: [] })
    await page.goForward()
    await press(page, 'Yes, they may search')
    await shows(page, 'Check this before we send it')
    await settled(page)
    await page.goBack()
    await showsStep(page, 6, ', answered')
    await page.getByRole('main').getByText('Yes, lenders may search').waitFor()
    const seed = (url: string) => new URLSearchParams(new URL(url).hash.slice(1)).get('seed')
    expect(seed(page.url())).not.toBe(seed(early))
    expect(await journey.state()).toMatchObject({ consents: [{ granted: true }] })
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 49] a browser without storage goes through the journey, back, and asks a question',
  async () => {
    const journey = await caseAfter(site.broker, 1)
    const { page, faults } = await openPage(site.browser, PHONE)
    await blockStorage(page)
    const { sessionId, tokens } = journey
    await page.goto(`${site.broker.url}/customer/${sessionId}#token=${tokens.customer}`)
    await walkCards(page, 0, 3)
    await shows(page, 'Shall we email you this estimate?')
    await page.goBack()
    await showsStep(page, 3, ', answered')
    await page.goForward()
    await ask(page, 'Is this a loan?')
    await spokenMessage(page, 'Is this a loan?').waitFor()
    expect(faults).toEqual([])
  },
)

/** How far the layout moved by itself since the page was opened, as the browser counts it. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(globalThis, { shifts: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & {
          readonly value: number
          readonly hadRecentInput: boolean
        }
        const before = Number(Reflect.get(globalThis, 'shifts'))
        if (!hadRecentInput) Object.assign(globalThis, { shifts: before + value })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async () => Number(await page.evaluate(() => Reflect.get(globalThis, 'shifts')))
}

fullTest.skipIf(noChromium)(
  '[surfaces 50] over the whole journey on a slow server, with questions on the way, the layout shifts by no more than 0.02',
  async ({ annotate }) => {
    const { page } = await openAtCard(site, 0)
    // The browser does not count shifts in the half second after a press.
    await page.route(/\/api\/(disclosures|quotes)|\/runs$/, async (route) => {
      await setTimeout(700)
      await route.continue()
    })
    const shifts = await watchShifts(page)
    for (const [index, [heading, act]] of CARDS.entries()) {
      await shows(page, heading)
      await settled(page)
      if (index % 3 === 1) {
        await openTalk(page)
        await composer(page).pressSequentially('How long does it take?')
        await page.keyboard.press('Enter')
        await closeTalk(page)
        await askLine(page).getByText('Most people need a few minutes').waitFor()
        await settled(page)
      }
      await act(page)
    }
    await shows(page, FINISHED)
    await settled(page)
    const moved = await shifts()
    await annotate(`${moved.toFixed(4)} of layout shift`)
    expect(moved).toBeLessThanOrEqual(0.02)
  },
)
