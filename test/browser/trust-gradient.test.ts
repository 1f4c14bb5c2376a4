import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { caseAfter, traceOf } from '../../apps/broker/journeys/journey.fixture.ts'
import { fullTest } from '../tier.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { inspect } from './case-page.fixture.ts'
import type { Scenario } from './case-page.fixture.ts'
import { PHONE, noChromium, openPage } from './chromium.fixture.ts'
import { settled } from './customer-page.fixture.ts'
import { CARDS, FINISHED, checkAccessible, press, shows } from './journey-steps.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

const site = brokerSite()

const STATEMENT = 'A statement for you to read'
const HOSTED = [
  'Here is who we are',
  'May lenders check your credit file?',
  'Check this before we send it',
]

/** Follows the card's link into the broker's own page, in a tab of its own. */
async function followed(page: Page, context: BrowserContext): Promise<Page> {
  await shows(page, STATEMENT)
  await settled(page)
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Read the statement' }).click()
  const hosted = await opened
  await hosted.getByText("This page is Clearpath's own.").waitFor()
  return hosted
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

async function openCase(query: string, steps = 0, scenario: Scenario = 'clean') {
  const journey = await caseAfter(site.broker, steps, scenario)
  const { page, context, faults } = await openPage(site.browser, PHONE)
  const token = journey.tokens.customer
  await page.goto(`${site.broker.url}/customer/${journey.sessionId}?${query}#token=${token}`)
  return { journey, page, context, faults }
}

test.skipIf(noChromium)(
  '[broker 5] with ?trust=low each disclosure is read and answered on the broker’s own page, and the same events come of it',
  async () => {
    const { journey, page, context, faults } = await openCase('trust=low')
    for (const [heading, act] of CARDS) {
      if (!HOSTED.includes(heading)) {
        await shows(page, heading)
        await settled(page)
        await act(page)
        continue
      }
      const hosted = await followed(page, context)
      expect(await page.getByRole('heading', { name: heading }).count()).toBe(0)
      await shows(hosted, heading)
      await act(hosted)
      await shows(hosted, 'Your answer is saved')
      await expect.poll(() => focused(hosted)).toBe('Your answer is saved')
      await hosted.close()
    }
    await shows(page, FINISHED)
    const trace = traceOf(await recordsOf(site.broker.log, journey.sessionId))
    expect(trace).toEqual(
      expect.arrayContaining([
        'U acknowledge_disclosure(service_status)',
        'U capture_consent',
        'R1 acknowledge_disclosure(credit_search_consent)',
        'U acknowledge_disclosure(pre_contract_summary)',
        'R3 submit_application',
        'U select_offer',
      ]),
    )
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  '[broker 5] [surfaces 13] [surfaces 16] the card and the broker’s page hold on a phone and a tablet, light and dark',
  async () => {
    const { page, context, faults } = await openCase('trust=low', 7)
    await shows(page, STATEMENT)
    await settled(page)
    await checkAccessible(page, 'the card that leads to the statement')
    const hosted = await followed(page, context)
    await shows(hosted, 'May lenders check your credit file?')
    await inspect(hosted, 'trust-low-consent')
    await press(hosted, 'No, do not search')
    await shows(hosted, 'You said no. That is fine')
    await hosted.getByText('Look at the question again').click()
    await press(hosted, 'Yes, they may search')
    await shows(hosted, 'Your answer is saved')
    await checkAccessible(hosted, 'the recorded answer')
    await shows(page, STATEMENT)
    const summary = await followed(page, context)
    await shows(summary, 'Check this before we send it')
    await checkAccessible(summary, 'the summary')
    await press(summary, 'Change something')
    await shows(summary, 'Change your answers in your application')
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[broker 5] the broker’s page shows no statement before its time, none that does not exist, and none to a stranger',
  async () => {
    const { journey, page } = await openCase('trust=low', 2)
    await shows(page, 'Can you apply?')
    const base = `${site.broker.url}/broker/disclosure/${journey.sessionId}`
    for (const id of ['pre_contract_summary', 'decline_signposting', 'unheard_of']) {
      await page.goto(`${base}/${id}`)
      await shows(page, 'You do not need this statement yet')
    }
    await page.goto(`${base}/service_status`)
    await shows(page, 'Your answer is saved')
    const before = traceOf(await recordsOf(site.broker.log, journey.sessionId))
    expect(before.filter((line) => line.includes('pre_contract_summary'))).toEqual([])
    const stranger = await openPage(site.browser, PHONE)
    await stranger.page.goto(`${base}/service_status`)
    await shows(stranger.page, 'Open your application with your link')
  },
)

fullTest.skipIf(noChromium)(
  '[broker 5] [surfaces 13] the demonstration’s bar changes trust, starts a case with other answers, and is not there unless asked for',
  async () => {
    const { journey, page, context, faults } = await openCase('demo=1')
    const bar = page.getByRole('complementary', { name: 'Demonstration' })
    await bar.waitFor()
    await shows(page, 'Here is who we are')
    await settled(page)
    const height = await bar.evaluate((element) => element.getBoundingClientRect().height)
    expect(height).toBeLessThan(48)
    await bar.getByText('Demonstration').click()
    await inspect(page, 'demo-bar')
    await bar.getByRole('link', { name: "on the broker's page" }).click()
    await shows(page, STATEMENT)
    expect(new URL(page.url()).search).toBe('?demo=1&trust=low')
    await bar.getByText('Demonstration').click()
    const audit = await bar.getByRole('link', { name: 'Audit of this case' }).getAttribute('href')
    expect(audit).toBe(`/audit/${journey.sessionId}`)
    await bar.getByLabel("Lenders' answers in a new case").selectOption('decline')
    await bar.getByRole('button', { name: 'Start a new case' }).click()
    await page.waitForURL(/\/installer\//)
    const started = new URL(page.url()).pathname.split('/')[2] ?? ''
    const [first] = await recordsOf(site.broker.log, started)
    expect(first?.data).toMatchObject({ demoScenario: 'decline' })
    expect(faults).toEqual([])
    await context.close()
    const plain = await openCase('')
    await shows(plain.page, 'Here is who we are')
    expect(await plain.page.getByRole('complementary').count()).toBe(0)
  },
)
