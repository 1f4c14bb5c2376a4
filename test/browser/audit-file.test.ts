import { beforeAll, expect, test } from 'vitest'
import { CUSTOMER_STEPS, caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import { DESK, finishedCase, openAudit, revealOn, rowOf, rowsOn } from './audit-page.fixture.ts'
import type { AuditedCase } from './audit-page.fixture.ts'
import type { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { fullTest } from '../tier.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { PHONE, TABLET, intercept, look, noChromium } from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'
import { misplaced } from './pseudo-check.fixture.ts'

const site = brokerSite()
let journey: Journey

beforeAll(async () => {
  if (!noChromium) journey = await finishedCase(site)
})

const seqOf = ({ records }: AuditedCase, type: string): number =>
  records.find((record) => record.type === type)?.seq ?? -1

fullTest.skipIf(noChromium)(
  'the text of a disclosure is read from each record that is about it, in the version that was shown',
  async () => {
    const audit = await openAudit(site, journey)
    for (const type of ['present_disclosure', 'acknowledge_disclosure', 'capture_consent']) {
      const row = rowOf(audit.page, seqOf(audit, type))
      await row.getByRole('button', { name: 'Details' }).click()
      await row.getByText('its hash is the recorded one').waitFor()
      const title = type === 'capture_consent' ? 'Credit search consent' : 'About our service'
      expect(await row.getByText(title, { exact: true }).count()).toBe(1)
      const hashes = await row.locator('code').allTextContents()
      expect(hashes).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), hashes[0]])
    }
    expect(await audit.page.getByText('We are a credit broker, not a lender').count()).toBe(2)
  },
)

test.skipIf(noChromium)(
  'the page detects a text other than the one that was shown, whatever its hash',
  async () => {
    const audit = await openAudit(site, journey)
    const release = await intercept(audit.page, '**/api/disclosures/**', async (route) => {
      const answer = await route.fetch()
      const text = await answer.json()
      await route.fulfill({ response: answer, json: { ...text, body: `${text.body}.` } })
    })
    const row = rowOf(audit.page, seqOf(audit, 'present_disclosure'))
    await row.getByRole('button', { name: 'Details' }).click()
    await row.getByText('This is not the text that was shown').waitFor()
    release()
    const releaseMissing = await intercept(audit.page, '**/api/disclosures/**', (route) =>
      route.fulfill({ status: 404 }),
    )
    const consent = rowOf(audit.page, seqOf(audit, 'capture_consent'))
    await consent.getByRole('button', { name: 'Details' }).click()
    await consent.getByText('This version of the text could not be read').waitFor()
    releaseMissing()
    await consent.getByRole('button', { name: 'Try again' }).click()
    await consent.getByText('This is the text that was shown').waitFor()
  },
)

test.skipIf(noChromium)(
  'the audit page of a thread without a case file shows its records, its transcript and its state',
  async () => {
    const audit = await openAudit(site, journey)
    const { page } = audit
    await page.route(/\/api\/audit\//, (route) => route.fulfill({ status: 404 }))
    await page.reload()
    await page.getByText('There is no case file').waitFor()
    await rowOf(page, seqOf(audit, 'capture_consent')).getByRole('link').click()
    await page.getByRole('heading', { name: /^State after record/ }).waitFor()
    await revealOn(page)
    await page.locator('summary', { hasText: 'Transcript' }).click()
    await page.getByText('Seventeen and a half thousand pounds').nth(1).waitFor()
    expect(await page.locator('summary', { hasText: 'Compliance' }).count()).toBe(0)
  },
)

const PARTS = [
  'Disclosures (3)',
  'Answers to consents (1)',
  'Lenders (1)',
  'Transcript',
  'Application',
]

async function openParts({ page }: AuditedCase): Promise<void> {
  for (const name of PARTS) await page.locator('summary', { hasText: name }).click()
  await page.getByRole('heading', { name: 'State now' }).waitFor()
}

test.skipIf(noChromium)(
  '[B009] the case file holds compliance, disclosures, consents, lenders, transcript, application and replay; the header initials after a reveal only',
  async () => {
    const audit = await openAudit(site, journey)
    const { page } = audit
    const header = page.getByRole('banner')
    const file = page.getByRole('region', { name: 'Case file' })
    await file.getByText('3 of 3').waitFor()
    await file.getByText('submitted less than 30 seconds after').waitFor()
    expect(await header.textContent()).not.toContain('Customer')
    await revealOn(page)
    await header.getByText('Customer S.J.').waitFor()
    expect(await header.textContent()).not.toMatch(/Sarah|Jones|example\.com/)
    await openParts(audit)
    expect(await file.getByText('Time to read').count()).toBe(3)
    await file.getByText('£15,750 over 120 months at 9.15% APR: £197.71 a month').first().waitFor()
    await file.getByText('Seventeen and a half thousand pounds').waitFor()
    await file.getByText('"employmentStatus": "Employed"').waitFor()
    const consent = file.getByRole('link', { name: `Record ${seqOf(audit, 'capture_consent')}` })
    await consent.last().click()
    await page.locator('[aria-current=true]').getByText('Consent to credit search').waitFor()
    await page.locator('summary', { hasText: 'Replay' }).click()
    await page.getByLabel('Attempts for each disclosure').selectOption('1')
    await page.getByRole('button', { name: 'Ask the model again' }).click()
    await page.getByText('100% of 3 attempts').waitFor()
    expect(audit.faults).toEqual([])
  },
)

/** A customer who refuses the search, agrees later, and turns the only offer down. */
async function refusedOffer(): Promise<Journey> {
  const refusing = await caseAfter(site.broker, CUSTOMER_STEPS.length - 2, 'counter')
  await refusing.present('credit_search_consent')
  await refusing.click(['capture_consent', { consentType: 'credit_search', granted: false }])
  for (const step of CUSTOMER_STEPS.slice(-2)) await step(refusing)
  await refusing.click(['refuse_counter_offer', {}])
  return refusing
}

test.skipIf(noChromium)(
  'the audit shows every answer to a consent, who made the offer that was turned down, and that there is no loan',
  async () => {
    const { page, faults } = await openAudit(site, await refusedOffer())
    await page.getByRole('banner').getByText('No loan', { exact: true }).waitFor()
    await rowsOn(page).getByText('Turned this offer down: Meridian Bank').waitFor()
    const file = page.getByRole('region', { name: 'Case file' })
    await file.getByText('No loan: no lender offered one that the customer took').waitFor()
    await page.locator('summary', { hasText: 'Answers to consents (2)' }).click()
    await file.getByText('Refused', { exact: true }).waitFor()
    await file.getByText('Changed to: Granted').waitFor()
    await page.locator('summary', { hasText: 'Lenders (' }).click()
    const lender = file.getByRole('listitem').filter({ hasText: 'Meridian Bank' })
    await lender.getByText('Turned this offer down').waitFor()
    await look(page, 'audit-refused-offer')
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 13] [surfaces 16] the audit page is accessible and holds its place, narrow and wide, light and dark',
  async () => {
    const audit = await openAudit(site, journey, PHONE)
    const { page, goTo } = audit
    await goTo(`?q=disclosure&ev=${seqOf(audit, 'present_disclosure')}`)
    await page.getByText('its hash is the recorded one').waitFor()
    await look(page, 'audit-timeline-phone')
    await see(audit, 'timeline')
    await page.getByRole('button', { name: 'Case file' }).click()
    for (const name of PARTS.slice(0, 4)) await page.locator('summary', { hasText: name }).click()
    await look(page, 'audit-file-phone')
    await see(audit, 'case file')
    expect(audit.faults).toEqual([])
  },
)

async function see({ page }: AuditedCase, name: string): Promise<void> {
  for (const viewport of [{ width: 320, height: 640 }, PHONE, TABLET, DESK]) {
    await page.setViewportSize(viewport)
    for (const dir of ['rtl', 'ltr']) {
      await page.evaluate((to) => document.documentElement.setAttribute('dir', to), dir)
      // A hash is no word: it has nowhere to break at.
      const faults = (await misplaced(page)).filter((fault) => !/\b[0-9a-f]{64}\b/.test(fault))
      expect([name, viewport.width, dir, faults]).toEqual([name, viewport.width, dir, []])
    }
  }
  for (const [viewport, colorScheme] of LOOKS) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await checkAccessible(page, `${name}, ${viewport.width}, ${colorScheme}`)
  }
  await page.setViewportSize(PHONE)
}

const LOOKS = [
  [PHONE, 'light'],
  [DESK, 'dark'],
  [PHONE, 'dark'],
  [DESK, 'light'],
] as const
