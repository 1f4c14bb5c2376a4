import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { CUSTOMER_STEPS, caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { membersOf, textOf } from '../../src/json/index.ts'
import { openingsIn } from '../order/acted-case.fixture.ts'
import { DESK } from './audit-page.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { walkCards } from './case-page.fixture.ts'
import { PHONE, look, noChromium, openPage } from './chromium.fixture.ts'
import { settled } from './customer-page.fixture.ts'
import { checkAccessible, press, shows } from './journey-steps.fixture.ts'
import { recordsOf, sha256 } from '../memory-log.fixture.ts'

const site = brokerSite()

const recordsIn = (thread: string) => recordsOf(site.broker.log, thread)

const TEXTS = ['service_status', 'credit_search_consent', 'pre_contract_summary']
/** How many cards it takes to answer them all. */
const CARDS_WITH_TEXTS = 8

test.skipIf(noChromium)(
  '[S11] a customer’s page names the text that it drew with each of its answers',
  async ({ annotate }) => {
    const { sessionId, customer } = await site.broker.openCase()
    const { page } = await openPage(site.browser, PHONE)
    await page.goto(customer)
    await walkCards(page, 0, CARDS_WITH_TEXTS)
    await shows(page, 'will lend to you')
    const answers = (await recordsIn(sessionId)).filter(
      ({ type, origin }) =>
        ['acknowledge_disclosure', 'capture_consent'].includes(type) && origin.source === 'ui',
    )
    const bodies = await Promise.all(
      TEXTS.map((id) => request(`${site.broker.url}/api/disclosures/${id}`)),
    )
    expect(
      answers.map(({ data }) => [textOf(data, 'contentHash'), membersOf(data)['bound']]),
    ).toEqual(bodies.map(({ body }) => [sha256(String(body['body'])), true]))
    await annotate(
      `${answers.length} of ${TEXTS.length} answers of our pages name their text`,
      'promise',
    )
  },
)

/** Serves the page other texts than the case has presented, each with its correct hash. */
async function replaceTexts(page: Page): Promise<void> {
  await page.route('**/api/disclosures/**', async (route) => {
    const answer = await route.fetch()
    const text = await answer.json()
    const body = `${text.body}\n\nYou agree to pay twice.`
    await route.fulfill({ response: answer, json: { ...text, body, contentHash: sha256(body) } })
  })
}

test.skipIf(noChromium)(
  '[S11] an answer to a text that the case never presented is refused, though the page drew it',
  async () => {
    const { sessionId, customer } = await site.broker.openCase()
    const { page } = await openPage(site.browser, PHONE)
    await replaceTexts(page)
    await page.goto(customer)
    await page.getByText('You agree to pay twice.').waitFor()
    await settled(page)
    await press(page, 'I understand')
    const acknowledgements = async () =>
      (await recordsIn(sessionId))
        .filter(({ type, data }) => [type, textOf(data, 'type')].includes('acknowledge_disclosure'))
        .map(({ data }) => textOf(data, 'reason'))
    await expect.poll(acknowledgements).toEqual(['evidence_mismatch'])
    await shows(page, 'Here is who we are')
  },
)

test.skipIf(noChromium)(
  '[S11] [S12] the audit page names answers without a text and a browser on both sides, with their records',
  async () => {
    const journey = await caseAfter(site.broker, CUSTOMER_STEPS.length)
    const { page, faults } = await openPage(site.browser, DESK)
    for (const [path, role] of [
      ['installer', 'installer'],
      ['customer', 'customer'],
      ['audit', 'auditor'],
    ] as const) {
      const address = `${site.broker.url}/${path}/${journey.sessionId}`
      await page.goto(`${address}#token=${journey.tokens[role]}`)
      // The address is clean before the server knows of the opening; leaving earlier would cancel it.
      const openings = async () => openingsIn(await recordsIn(journey.sessionId)).join(' ')
      await expect.poll(openings).toContain(role)
    }
    const file = page.getByRole('region', { name: 'Case file' })
    const anomaly = (words: string) => file.getByRole('listitem').filter({ hasText: words })
    const unbound = anomaly('does not say which text it answers')
    const shared = anomaly('were opened in the same browser')
    await shared.waitFor()
    expect(await unbound.getByRole('link').count()).toBe(3)
    expect(await shared.getByRole('link').count()).toBe(2)
    await look(page, 'audit-anomalies')
    await checkAccessible(page, 'audit with anomalies')
    await shared.getByRole('link').last().click()
    await page
      .locator('[aria-current=true]')
      .getByText('The link of the customer was opened in browser')
      .waitFor()
    expect(faults).toEqual([])
  },
)
