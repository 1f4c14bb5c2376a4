import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { TOKEN_LIFETIME_S } from '../../src/server/index.ts'
import { caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import type { Misbehaviour } from '../../apps/broker/narrator/index.ts'
import { serveBrokerPages } from './broker-pages.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { inspect, inspectFurther, openAtCard, walkCards } from './case-page.fixture.ts'
import type { CasePage } from './case-page.fixture.ts'
import { PHONE, noChromium, openPage } from './chromium.fixture.ts'
import { ask, chooseHelp, closeTalk, openTalk, settled } from './customer-page.fixture.ts'
import { fullTest, timesInTier } from '../tier.fixture.ts'
import { CARDS, FINISHED, press, shows } from './journey-steps.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

const cardNamed = (name: string) => CARDS.findIndex(([heading]) => heading === name)
const SUPPORT = cardNamed('Would any support help you?')
const CONSENT = cardNamed('May lenders check your credit file?')
const PRE_CONTRACT = cardNamed('Check this before we send it')
const OFFER = cardNamed('will lend to you')

const site = brokerSite()

/** The sum of a journey: its outcome on the log, and a page that had nothing to complain about. */
async function endsWith({ journey, faults }: CasePage, kind: string): Promise<void> {
  expect(await journey.state()).toMatchObject({ caseOutcome: { kind } })
  expect(faults).toEqual([])
}

async function toTheCounterOffer(): Promise<CasePage> {
  const opened = await openAtCard(site, PRE_CONTRACT, 'counter')
  await press(opened.page, 'Confirm and send')
  await shows(opened.page, 'offers different terms')
  await settled(opened.page)
  return opened
}

test.skipIf(noChromium)(
  '[B064] [A052] [A075] [surfaces 13] [surfaces 16] a counter-offer is shown beside the request, with two ways to answer, and is accepted',
  async () => {
    const opened = await toTheCounterOffer()
    const { page } = opened
    const card = page.getByRole('main')
    for (const figure of ['APR', 'For', 'A month', 'In total']) {
      await card.getByRole('rowheader', { name: figure }).first().waitFor()
    }
    await inspect(page, 'counter')
    await press(page, 'Accept this offer')
    await shows(page, FINISHED)
    await endsWith(opened, 'selected')
  },
)

test.skipIf(noChromium)(
  '[A050] [A070] [surfaces 5] consent that is refused asks no lender, and can be granted afterwards',
  async () => {
    const opened = await openAtCard(site, CONSENT)
    const { page, journey } = opened
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await inspectFurther(page, 'consent')
    await press(page, 'No, do not search')
    await shows(page, 'You said no. That is fine')
    await settled(page)
    await inspect(page, 'consent-refused')
    expect(await journey.state()).toMatchObject({ consents: [{ granted: false }] })
    expect(await journey.state()).not.toHaveProperty('waterfall')
    await page.getByText('Look at the question again').click()
    await walkCards(page, CONSENT, OFFER + 1)
    await shows(page, `${FINISHED} Harbour Bank`)
    const card = page.getByRole('main')
    for (const told of ['9.15% APR', '10 years', '£15,750.00', '£23,725.20']) {
      await card.getByText(told).first().waitFor()
    }
    await card.getByText('Harbour Bank makes a hard search').waitFor()
    await card.getByText(journey.sessionId.slice(-12)).waitFor()
    await endsWith(opened, 'selected')
  },
)

/** In every run the last card before a lender is asked and the first one after. */
const LEAVING = CARDS.map(([heading], card) => [heading, card] as const).slice(
  -timesInTier({ quick: 2, full: CARDS.length }),
)

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

test.skipIf(noChromium).for(LEAVING)(
  '[A055] [B036] [surfaces 6] at “%s” saving loses nothing; withdrawing asks for confirmation once; both pages show whether it was sent',
  async ([heading, card]) => {
    const opened = await openAtCard(site, card)
    const { page, journey } = opened
    const sent = heading === 'will lend to you'
    const before = await recordsOf(site.broker.log, journey.sessionId)
    await chooseHelp(page, 'Save and come back')
    await shows(page, 'Come back when you like')
    await page
      .getByText(
        sent ? 'Your application was sent to lenders.' : 'Nothing has been sent to a lender.',
      )
      .waitFor()
    expect(await focusedText(page)).toBe('Come back when you like')
    const address = await page.getByLabel('The address to come back to').inputValue()
    expect(address).toContain(`/customer/${journey.sessionId}`)
    expect(address).not.toMatch(/token|saved/)
    await page.getByRole('main').getByText('Copy', { exact: true }).waitFor()
    await page.getByText(`up to ${TOKEN_LIFETIME_S / 86_400} days after`).waitFor()
    if (card === PRE_CONTRACT) await inspect(page, 'left')
    await press(page, 'Carry on now')
    await shows(page, heading)
    await expect.poll(() => focusedText(page)).toContain(heading)
    expect(await recordsOf(site.broker.log, journey.sessionId)).toEqual(before)
    await chooseHelp(page, 'Withdraw')
    const dialog = page.getByRole('dialog', { name: 'Withdraw your application?' })
    await dialog
      .getByText(sent ? 'Lenders have been asked already' : 'Nothing was sent to a lender')
      .waitFor()
    if (card === PRE_CONTRACT) await inspect(page, 'leaving')
    const [keep, withdraw] = await Promise.all(
      ['Keep it', 'Withdraw'].map((name) =>
        dialog.getByRole('button', { name, exact: true }).boundingBox(),
      ),
    )
    expect([withdraw?.width, withdraw?.height]).toEqual([keep?.width, keep?.height])
    await dialog.getByRole('textbox').fill('Not now')
    await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await shows(page, 'You withdrew your application')
    await page.getByText(sent ? 'Lenders had been asked' : 'Nothing was sent to a lender').waitFor()
    if (card === PRE_CONTRACT) await inspect(page, 'withdrawn')
    expect(await journeyReason(opened)).toBe('Not now')
    await endsWith(opened, 'withdrawn')
  },
)

async function journeyReason({ journey }: CasePage): Promise<unknown> {
  const { caseOutcome } = await journey.state()
  return (caseOutcome as { readonly reason?: string }).reason
}

fullTest.skipIf(noChromium)(
  '[A055] before an offer is refused, the page shows its figures and that the application ends',
  async () => {
    const opened = await openAtCard(site, CARDS.length - 1)
    const { page } = opened
    await press(page, 'No, thank you')
    const sheet = page.getByRole('dialog', { name: 'Turn this offer down?' })
    for (const said of ['the offer from', '£197.71', 'Your application ends.']) {
      await sheet.getByText(said).waitFor()
    }
    const figure = await sheet.getByText('£197.71').boundingBox()
    expect(figure?.height).toBeLessThan(40)
    const [keep, no] = await Promise.all(
      ['Keep the offer', 'No, thank you'].map((name) =>
        sheet.getByRole('button', { name }).boundingBox(),
      ),
    )
    expect([no?.width, no?.height]).toEqual([keep?.width, keep?.height])
    await sheet.getByRole('button', { name: 'No, thank you' }).click()
    await shows(page, 'You withdrew your application')
    await endsWith(opened, 'withdrawn')
  },
)

test.skipIf(noChromium)(
  '[B005] a need for support that the customer shares is recorded and stays from the installer',
  async () => {
    const opened = await openAtCard(site, SUPPORT)
    const { page, journey } = opened
    await page.getByRole('checkbox', { name: 'Something big changed' }).check()
    await page.getByRole('textbox', { name: 'Anything else' }).fill('I lost my mother in May')
    await inspectFurther(page, 'support')
    await press(page, 'Save and continue')
    await shows(page, 'May lenders check your credit file?')
    await chooseHelp(page, 'Your answers so far')
    await page.getByText(/^\d chosen/).waitFor()
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
    const journey = await caseAfter(unruly)
    const { page, context, faults } = await openPage(site.browser, PHONE)
    const address = `${unruly.url}/customer/${journey.sessionId}#token=${journey.tokens.customer}`
    await page.goto(address)
    await walkCards(page, 0, OFFER + 1)
    await shows(page, FINISHED)
    await settled(page)
    await press(page, 'Finish')
    await expect.poll(() => page.getByRole('button', { name: 'Finish' }).count()).toBe(0)
    await openTalk(page)
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
      expect(await page.getByRole('heading', { name: 'Here is who we are' }).count()).toBe(0)
    })
  },
)

test.skipIf(noChromium)('[A012] [surfaces 1] “I agree” in the chat is no consent', async () => {
  const { page, journey } = await openAtCard(site, CONSENT)
  await ask(page, 'I agree to everything, go ahead')
  await settled(page)
  await closeTalk(page)
  await shows(page, 'May lenders check your credit file?')
  expect(await journey.state()).toMatchObject({ status: 'quote_ready', consents: [] })
})
