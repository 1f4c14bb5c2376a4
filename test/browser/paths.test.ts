import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Journey, handOver } from '../../apps/broker/journeys/journey.fixture.ts'
import { recordsOf } from '../../apps/broker/journeys/served-broker.fixture.ts'
import type { Misbehaviour } from '../../apps/broker/narrator/index.ts'
import { serveBrokerPages } from './broker-pages.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { inspect, inspectFurther, openAtCard, walkCards } from './case-page.fixture.ts'
import type { CasePage } from './case-page.fixture.ts'
import { PHONE, noChromium, openPage } from './chromium.fixture.ts'
import { say, settled } from './customer-page.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { CARDS, press, shows } from './journey-steps.fixture.ts'

const cardNamed = (name: string) => CARDS.findIndex(([heading]) => heading === name)
const ELIGIBILITY = cardNamed('Can you apply?')
const SUPPORT = cardNamed('Would any support help?')
const CONSENT = cardNamed('Credit search consent')
const PRE_CONTRACT = cardNamed('Pre-contract summary')
const OFFER = cardNamed('You have an offer')

const site = brokerSite()

/** The sum of a journey: its outcome on the log, and a page that had nothing to complain about. */
async function endsWith({ journey, faults }: CasePage, kind: string): Promise<void> {
  expect(await journey.state()).toMatchObject({ caseOutcome: { kind } })
  expect(faults).toEqual([])
}

async function toTheCounterOffer(): Promise<CasePage> {
  const opened = await openAtCard(site, PRE_CONTRACT, 'counter')
  await press(opened.page, 'I confirm')
  await shows(opened.page, 'A lender has made a different offer')
  await settled(opened.page)
  return opened
}

test.skipIf(noChromium)(
  '[B064] [A052] [A075] [surfaces 13] [surfaces 16] a counter-offer stands beside what was asked for, with two ways to answer, and is accepted',
  async () => {
    const opened = await toTheCounterOffer()
    const { page } = opened
    const card = page.getByRole('main')
    for (const figure of ['APR', 'Term', 'Monthly payment', 'Total to repay']) {
      await card.getByRole('rowheader', { name: figure }).first().waitFor()
    }
    await inspect(page, 'counter')
    await press(page, 'Accept this offer')
    await shows(page, 'This application is finished')
    await endsWith(opened, 'selected')
  },
)

test.skipIf(noChromium)(
  '[B064] [A053] [A076] [surfaces 8] a counter-offer that is refused goes on to the last lender, and the decline is plain and says where to turn',
  async () => {
    const opened = await toTheCounterOffer()
    const { page } = opened
    await press(page, 'Try the next lender')
    await shows(page, 'No lender on our panel can offer you a loan')
    await page.getByText('MoneyHelper').first().waitFor()
    await inspect(page, 'declined')
    expect(await page.getByRole('button', { name: 'Leave for now' }).count()).toBe(0)
    await endsWith(opened, 'declined')
  },
)

const CRITERIA = [
  ['Are you 18 or over?', 'Lenders need you to be 18 or over.'],
  ['Do you live in the UK?', 'Lenders need you to live in the UK.'],
  ['Do you own the home', 'Lenders need you to own the home the system is for.'],
  ['Do you have a regular income', 'Lenders need you to have a regular income.'],
] as const

/** In every run one of them, in the full tier all: the tests on the log have each. */
test.skipIf(noChromium).for(CRITERIA.slice(0, timesInTier({ quick: 1, full: CRITERIA.length })))(
  '[A042] a no to “%s” ends with the reason and where to turn',
  async ([question, reason]) => {
    const opened = await openAtCard(site, ELIGIBILITY)
    const { page } = opened
    for (const yes of await page.getByRole('radio', { name: 'Yes' }).all()) await yes.check()
    await page.getByRole('group', { name: question }).getByRole('radio', { name: 'No' }).check()
    await press(page, 'Continue')
    await shows(page, 'You cannot apply through us')
    await page.getByText(reason).waitFor()
    await page.getByText('MoneyHelper').first().waitFor()
    if (question.startsWith('Are')) await inspect(page, 'ineligible')
    await endsWith(opened, 'ineligible')
  },
)

test.skipIf(noChromium)(
  '[A050] [A070] [surfaces 5] consent that is refused asks no lender, and can be granted afterwards',
  async () => {
    const opened = await openAtCard(site, CONSENT)
    const { page, journey } = opened
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await inspectFurther(page, 'consent')
    await press(page, 'Refuse consent')
    await page.getByText('You refused the credit search').waitFor()
    await settled(page)
    await inspect(page, 'consent-refused')
    expect(await journey.state()).toMatchObject({ consents: [{ granted: false }] })
    expect(await journey.state()).not.toHaveProperty('waterfall')
    await walkCards(page, CONSENT, OFFER + 1)
    await shows(page, 'This application is finished')
    const card = page.getByRole('region', { name: 'This application is finished' })
    for (const told of ['Harbour Bank', '9.15%', '120 months', '£197.71', '£23,725.20']) {
      await card.getByText(told, { exact: true }).waitFor()
    }
    await card.getByText('Harbour Bank makes a hard credit search before you sign.').waitFor()
    await card.getByText(journey.sessionId.slice(-12)).waitFor()
    await endsWith(opened, 'selected')
  },
)

test.skipIf(noChromium)(
  '[surfaces 4] what the summary shows can be amended before anything is sent, and holds afterwards',
  async () => {
    const opened = await openAtCard(site, PRE_CONTRACT)
    const { page, journey } = opened
    await inspectFurther(page, 'pre-contract')
    await press(page, "I'd like to amend")
    await press(page, 'Change Quote')
    await shows(page, 'Choose how long to repay')
    await settled(page)
    await page.getByRole('radio', { name: '180 months' }).check()
    await press(page, 'Use this quote')
    await shows(page, 'Pre-contract summary')
    await settled(page)
    await page
      .getByRole('region', { name: 'The indicative quote' })
      .getByText('180 months')
      .waitFor()
    expect(await journey.state()).toMatchObject({ provisionalQuote: { termMonths: 180 } })
    await walkCards(page, PRE_CONTRACT, OFFER + 1)
    await shows(page, 'This application is finished')
    await endsWith(opened, 'selected')
  },
)

/** In every run the last card before a lender is asked and the first one after. */
const LEAVING = CARDS.map(([heading], card) => [heading, card] as const).slice(
  -timesInTier({ quick: 2, full: CARDS.length }),
)

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

test.skipIf(noChromium).for(LEAVING)(
  '[A055] [B036] [surfaces 6] whoever leaves for now at “%s” loses nothing and carries on; whoever withdraws is asked once, and both are told what was sent',
  async ([heading, card]) => {
    const opened = await openAtCard(site, card)
    const { page, journey } = opened
    const sent = heading === 'You have an offer'
    const before = await recordsOf(site.broker.log, journey.sessionId)
    await press(page, 'Leave for now')
    const dialog = page.getByRole('dialog')
    await dialog
      .getByText(sent ? 'Lenders have been asked already' : 'Nothing has been sent to a lender.')
      .waitFor()
    if (card === PRE_CONTRACT) await inspect(page, 'leaving')
    await dialog.getByRole('button', { name: 'Leave for now' }).click()
    await shows(page, 'You have left for now')
    await page
      .getByText(sent ? 'has been submitted to lenders' : 'Nothing has been submitted yet.')
      .waitFor()
    expect(await focusedText(page)).toBe('You have left for now')
    if (card === PRE_CONTRACT) await inspect(page, 'left')
    await press(page, 'Carry on')
    await shows(page, heading)
    expect(await focusedText(page)).toBe(heading)
    expect(await recordsOf(site.broker.log, journey.sessionId)).toEqual(before)
    await press(page, sent ? 'No, thank you' : 'Leave for now')
    if (sent) expect(await focusedText(page)).toBe('Withdraw the application')
    await dialog.getByText('cannot be undone').waitFor()
    await dialog.getByRole('textbox').fill('Not now')
    await press(page, 'Withdraw the application')
    await shows(page, 'You withdrew this application')
    await page
      .getByText(sent ? 'Lenders had been asked' : 'Nothing was sent to a lender.')
      .waitFor()
    if (card === PRE_CONTRACT) await inspect(page, 'withdrawn')
    expect(await journeyReason(opened)).toBe('Not now')
    await endsWith(opened, 'withdrawn')
  },
)

async function journeyReason({ journey }: CasePage): Promise<unknown> {
  const { caseOutcome } = await journey.state()
  return (caseOutcome as { readonly reason?: string }).reason
}

test.skipIf(noChromium)(
  '[B005] a need for support that the customer shares is recorded and stays from the installer',
  async () => {
    const opened = await openAtCard(site, SUPPORT)
    const { page, journey } = opened
    await page.getByRole('checkbox', { name: 'Something big has changed' }).check()
    await page.getByRole('textbox', { name: 'Anything else' }).fill('I lost my mother in May')
    await inspectFurther(page, 'support')
    await press(page, 'Share this')
    await shows(page, 'Credit search consent')
    await page.getByText('2 things shared').or(page.getByText('1 thing shared')).waitFor()
    expect(await journey.state()).toMatchObject({
      financial: { vulnerabilityIndicators: ['recent_life_event'] },
    })
    const installer = await openPage(site.browser, PHONE)
    const { sessionId, tokens } = journey
    await installer.page.goto(`${site.broker.url}/installer/${sessionId}#token=${tokens.installer}`)
    await installer.page.getByRole('heading').first().waitFor()
    const seen = await installer.page.content()
    expect(seen).not.toMatch(/mother|recent_life_event|Something big/)
    expect(opened.faults).toEqual([])
  },
)

async function walkWith(misbehave: Misbehaviour, check: (page: Page) => Promise<void>) {
  const unruly = await serveBrokerPages(misbehave)
  try {
    const journey = await Journey.start(unruly)
    await handOver(journey)
    const { page, context, faults } = await openPage(site.browser, PHONE)
    const address = `${unruly.url}/customer/${journey.sessionId}#token=${journey.tokens.customer}`
    await page.goto(address)
    await walkCards(page, 0, OFFER + 1)
    await shows(page, 'You accepted an offer')
    await settled(page)
    await press(page, 'Finish')
    await shows(page, 'This application is finished')
    await check(page)
    await endsWith({ journey, page, context, faults }, 'selected')
  } finally {
    await unruly.close()
  }
}

/** Bubbles of the conversation that show nothing. */
const emptyBubbles = (page: Page) =>
  page
    .getByRole('log')
    .locator('p')
    .evaluateAll((lines) => lines.filter(({ textContent }) => textContent.trim() === '').length)

/** In every run the one that says nothing, in the full tier also the one that starts over each time. */
const UNRULY = (['silent', 'restart'] as const).slice(0, timesInTier({ quick: 1, full: 2 }))

test.skipIf(noChromium).for(UNRULY)(
  '[B040] [B042] [A060] [A061] [surfaces 7] whatever a %s model does, the cards lead to the offer, and no bubble is empty',
  async (misbehave) => {
    await walkWith(misbehave, async (page) => {
      expect(await emptyBubbles(page)).toBe(0)
      expect(await page.getByRole('heading', { name: 'About our service' }).count()).toBe(0)
    })
  },
)

test.skipIf(noChromium)('[A012] [surfaces 1] “I agree” in the chat is no consent', async () => {
  const { page, journey } = await openAtCard(site, CONSENT)
  await say(page, 'I agree to everything, go ahead')
  await settled(page)
  await shows(page, 'Credit search consent')
  expect(await journey.state()).toMatchObject({ status: 'quote_ready', consents: [] })
})
