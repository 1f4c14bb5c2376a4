import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Journey, handOver } from '../../apps/broker/journeys/journey.fixture.ts'
import { fullTest } from '../tier.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'
import type { CasePage, Scenario } from './case-page.fixture.ts'
import { PHONE, look, noChromium, openPage } from './chromium.fixture.ts'
import { closeTalk, composer, isInView, settled } from './customer-page.fixture.ts'
import {
  CARDS,
  FINISHED,
  checkAccessible,
  checkInEachScheme,
  fillAboutYou,
  press,
  shows,
} from './journey-steps.fixture.ts'

const site = brokerSite()

const cardNamed = (name: string) => CARDS.findIndex(([heading]) => heading === name)
const ELIGIBILITY = cardNamed('Can you apply?')
const QUOTE = cardNamed('How long do you want to repay?')
const DETAILS = cardNamed('About you')
const SUPPORT = cardNamed('Would any support help you?')
const CONSENT = cardNamed('May lenders check your credit file?')
const SUMMARY = cardNamed('Check this before we send it')

const confirm = async (scenario: Scenario): Promise<CasePage> => {
  const opened = await openAtCard(site, SUMMARY, scenario)
  await press(opened.page, 'Confirm and send')
  return opened
}

fullTest.skipIf(noChromium)(
  '[B064] [A053] [A076] [surfaces 8] [surfaces 13] [surfaces 59] a counter-offer that is refused and the endings are accessible in each scheme, and say what happens next',
  async () => {
    const { page, journey } = await confirm('counter')
    await shows(page, 'Meridian Bank offers different terms')
    await settled(page)
    await checkInEachScheme(page, 'counter-offer')
    await press(page, 'Ask Steadfast Finance')
    const sheet = page.getByRole('dialog', { name: 'Turn this offer down?' })
    for (const said of [
      'What you give up: the offer from Meridian Bank',
      '£15,750.00',
      'We ask Steadfast Finance.',
    ]) {
      await sheet.getByText(said).waitFor()
    }
    await checkInEachScheme(page, 'turn-down')
    await sheet.getByRole('button', { name: 'Keep the offer' }).click()
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
    expect(await journey.state()).toMatchObject({ waterfall: { awaitingCounterDecision: true } })
    await press(page, 'Ask Steadfast Finance')
    await sheet.getByRole('button', { name: 'Ask Steadfast Finance' }).click()
    await shows(page, 'No other lender can offer you this loan')
    await settled(page)
    await checkInEachScheme(page, 'declined')
    await shows(page, 'What you can do next')
    await shows(page, 'Free help with money')
    await page.getByRole('link', { name: '0800 138 1111' }).waitFor()
    expect(await page.getByText('0800 138 1111').count()).toBe(1)
    await page.getByText('You said no to the offer from Meridian Bank.').waitFor()
    await page.getByRole('button', { name: 'Help', exact: true }).click()
    expect(await page.getByText('Your answers so far').count()).toBe(1)
    expect(await page.getByText('Save and come back').count()).toBe(0)
    await page.getByText(journey.sessionId.slice(-12)).waitFor()
    const ineligible = await openAtCard(site, ELIGIBILITY)
    for (const yes of await ineligible.page.getByRole('radio', { name: 'Yes' }).all()) {
      await yes.check()
    }
    await ineligible.page.getByRole('radio', { name: 'No' }).first().check()
    await press(ineligible.page, 'Continue')
    await shows(ineligible.page, 'You cannot apply through us today')
    await shows(ineligible.page, 'What you can do next')
    await ineligible.page.getByText('Our lenders need you to be 18 or over.').waitFor()
    await ineligible.page.getByText('You told us you are not').waitFor()
    await checkInEachScheme(ineligible.page, 'ineligible')
    const withdrawn = await openAtCard(site, CONSENT)
    await withdrawn.journey.click(['withdraw', {}])
    await shows(withdrawn.page, 'You withdrew your application')
    await shows(withdrawn.page, 'If you change your mind')
    await checkInEachScheme(withdrawn.page, 'withdrawn')
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 59] after an accepted offer the page names each next step, its date and a person to ask',
  async () => {
    const { page } = await confirm('clean')
    await shows(page, 'will lend to you')
    await settled(page)
    await press(page, 'Accept this offer')
    await shows(page, FINISHED)
    for (const step of ['You accepted', 'makes a hard search', 'sends you the agreement']) {
      await page.getByRole('listitem').filter({ hasText: step }).first().waitFor()
    }
    await page
      .getByText(/^By \d+ \w+ \d{4}$/)
      .first()
      .waitFor()
    await shows(page, 'Heard nothing by')
    await press(page, 'Speak to a person')
    await page.getByRole('dialog').getByText('0800 000 0000').waitFor()
  },
)

fullTest.skipIf(noChromium)('[surfaces 59] a declined customer can ask why', async () => {
  const { page } = await confirm('decline')
  await shows(page, 'None of our lenders can offer you this loan')
  await settled(page)
  for (const lender of ['Harbour Bank', 'Meridian Bank', 'Steadfast Finance']) {
    const asked = page.getByRole('listitem').filter({ hasText: lender })
    await asked.getByText(/Declined at \d\d:\d\d, after a soft search/).waitFor()
  }
  await press(page, 'Ask why')
  const talk = page.getByRole('dialog', { name: 'Ask a question' })
  await talk.getByRole('log').getByText('You can ask each lender').waitFor()
  await talk.getByText('This application has ended.').waitFor()
  expect(await composer(page).count()).toBe(0)
  await checkAccessible(page, 'ended conversation')
  await look(page, 'ended-conversation')
  await closeTalk(page)
  await press(page, 'Ask why')
  await settled(page)
  expect(await talk.getByText('Why was I declined?').count()).toBe(1)
  await talk.getByRole('button', { name: 'Speak to a person' }).click()
  await page.getByRole('dialog', { name: 'Speak to a person' }).waitFor()
})

test.skipIf(noChromium)(
  '[surfaces 58] a counter-offer states the differences in pounds and years, the dearest first, above the table',
  async () => {
    const { page } = await confirm('counter')
    await shows(page, 'Meridian Bank offers different terms')
    await page.getByText('Smaller payments for longer. It costs more overall.').waitFor()
    const differences = page.getByRole('main').getByRole('list').first().getByRole('listitem')
    expect(await differences.allTextContents()).toEqual([
      'You repay £3,774.48 more in total',
      'You pay for 2 years longer',
      'You pay £6.74 less a month',
    ])
    const top = async (locator: ReturnType<Page['locator']>) =>
      (await locator.boundingBox())?.y ?? 0
    expect(await top(page.getByRole('table'))).toBeGreaterThan(await top(differences.last()))
    const colours = await differences.evaluateAll((items) => [
      ...new Set(items.map((item) => getComputedStyle(item).backgroundColor)),
    ])
    expect(colours).toHaveLength(1)
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 5] a statement’s buttons are in view before it is read, and “Read it” leads to the full text',
  async () => {
    const { page } = await openAtCard(site, CONSENT)
    for (const name of ['No, do not search', 'Yes, they may search']) {
      const button = page.getByRole('button', { name, exact: true })
      expect(await button.isEnabled()).toBe(true)
      expect(await button.getAttribute('aria-disabled')).toBeNull()
    }
    expect(await isInView(page, 'button:has-text("Yes, they may search")')).toBe(true)
    const [no, yes] = await Promise.all(
      ['No, do not search', 'Yes, they may search'].map((name) =>
        page.getByRole('button', { name, exact: true }).evaluate((button) => {
          const { width, height } = button.getBoundingClientRect()
          return { width, height, look: button.className }
        }),
      ),
    )
    expect(no).toEqual(yes)
    await page.getByRole('link', { name: 'Read it' }).click()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
    await expect.poll(() => isInView(page, '#full-text h2')).toBe(true)
    expect(page.url()).not.toContain('full-text')
  },
)

fullTest.skipIf(noChromium)(
  'the 10-year example is shown at once, and only its button records it',
  async () => {
    const { page, journey } = await openAtCard(site, QUOTE)
    expect(await page.getByRole('radio', { name: '10 years' }).isChecked()).toBe(true)
    await page.getByText('£197').first().waitFor()
    await page.getByText('An estimate, not an offer.').waitFor()
    expect(await journey.state()).not.toHaveProperty('provisionalQuote')
    await page.getByRole('radio', { name: '15 years' }).check()
    await page.getByText('£157').first().waitFor()
    expect(await journey.state()).not.toHaveProperty('provisionalQuote')
    await press(page, 'Continue with 15 years')
    await shows(page, 'Shall we email you this estimate?')
    expect(await journey.state()).toMatchObject({ provisionalQuote: { termMonths: 180 } })
  },
)

test.skipIf(noChromium)(
  '[surfaces 10] [surfaces 11] [surfaces 12] the details keep their place over a reload, list errors part by part, and Change returns to the check page',
  async () => {
    const { page } = await openAtCard(site, DETAILS)
    await page.getByLabel('Year').fill('84')
    await press(page, 'Continue')
    const alert = page.getByRole('alert')
    await expect.poll(() => alert.evaluate((box) => document.activeElement === box)).toBe(true)
    expect(await page.title()).toMatch(/^Error: /)
    await alert.getByRole('link', { name: 'Enter the day, the month and the year' }).click()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('birthDay')
    await fillAboutYou(page)
    await shows(page, 'Where do you live?')
    await page.getByLabel('Postcode').fill('SW1A 1AA')
    await press(page, 'Find')
    await page.getByRole('group', { name: 'Choose your address' }).waitFor()
    await page.getByRole('radio').first().check()
    await page.reload()
    await shows(page, 'Where do you live?')
    expect(await page.getByLabel('Postcode').inputValue()).toBe('SW1A 1AA')
    expect(await page.getByLabel('Town or city').inputValue()).not.toBe('')
    await press(page, 'Continue')
    await page.getByRole('radio', { name: 'Retired' }).check()
    await page.getByLabel('Income in a year').fill('£21,000')
    await page.getByLabel('What you spend in a month').fill('900')
    await press(page, 'Check your answers')
    await shows(page, 'Check your answers')
    await press(page, 'Change Full name')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('fullName')
    await page.getByLabel('Full name').fill('Sarah Jane Jones')
    await press(page, 'Check your answers')
    await shows(page, 'Check your answers')
    await page.getByText('Sarah Jane Jones').waitFor()
    await page.getByText('£21,000 before tax').waitFor()
  },
)

fullTest.skipIf(noChromium)(
  '“None of these” and the other ticks exclude each other, and Skip shares nothing',
  async () => {
    const { page, journey } = await openAtCard(site, SUPPORT)
    const tick = (name: string) => page.getByRole('checkbox', { name })
    await tick('English is not my first language').check()
    await tick('None of these').check()
    expect(await tick('English is not my first language').isChecked()).toBe(false)
    await tick('I want support before I sign').check()
    expect(await tick('None of these').isChecked()).toBe(false)
    await press(page, 'Skip')
    await shows(page, 'May lenders check your credit file?')
    expect(await journey.state()).toMatchObject({ financial: { vulnerabilityIndicators: [] } })
  },
)

test.skipIf(noChromium)(
  '[surfaces 5] after a no, four ways lead on; the question can be looked at again, and a second no records nothing more',
  async () => {
    const { page, journey } = await openAtCard(site, CONSENT)
    await press(page, 'No, do not search')
    await shows(page, 'You said no. That is fine')
    await settled(page)
    await checkInEachScheme(page, 'consent refused')
    const main = page.getByRole('main')
    expect(await main.getByRole('button').count()).toBe(4)
    const { updatedAt } = await journey.state()
    await main.getByRole('button', { name: 'Look at the question again' }).click()
    await shows(page, 'May lenders check your credit file?')
    await press(page, 'No, do not search')
    await shows(page, 'You said no. That is fine')
    expect((await journey.state())['updatedAt']).toBe(updatedAt)
    await main.getByRole('button', { name: 'Speak to a person' }).click()
    await page.getByRole('dialog').getByText('0800 000 0000').waitFor()
  },
)

fullTest.skipIf(noChromium)(
  'the page waits for the installer and then goes on by itself',
  async () => {
    const journey = await Journey.start(site.broker)
    const { page } = await openPage(site.browser, PHONE)
    const { sessionId, tokens } = journey
    await page.goto(`${site.broker.url}/customer/${sessionId}#token=${tokens.customer}`)
    await shows(page, 'Your installer is still filling this in')
    await checkInEachScheme(page, 'handoff')
    await handOver(journey)
    await shows(page, 'Here is who we are')
  },
)
