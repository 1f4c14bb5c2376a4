import type { Page, Response } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { fullTest } from '../tier.fixture.ts'
import type { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import {
  DESK,
  finishedCase,
  openAudit,
  personalDataOn,
  revealOn,
  rowOf,
  rowsOn,
} from './audit-page.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { PHONE, TABLET, intercept, look, noChromium } from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'
import { misplaced } from './pseudo-check.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

const site = brokerSite()
let journey: Journey

beforeAll(async () => {
  if (!noChromium) journey = await finishedCase(site)
})

const revealsIn = async ({ sessionId }: Journey) =>
  (await recordsOf(site.broker.log, sessionId)).filter(
    ({ type }) => type === 'reveal_personal_data',
  )

/** The personal data of the customer in the records of a finished case. */
const PERSONAL = /Sarah|Jones|sarah@|0?7700 ?900|1984-|"Employed"|Kingsmere|oh seven/i

/** Every part of the page, every record with its details as JSON. */
async function openEverything(page: Page): Promise<void> {
  for (const name of ['Transcript', 'Application', 'Lenders', 'Disclosures'])
    await page.locator('summary', { hasText: name }).first().click()
  await page.getByRole('heading', { name: 'State now' }).waitFor()
  const press = (elements: (Element | SVGElement)[]) => {
    for (const element of elements) (element as HTMLElement).click()
  }
  await rowsOn(page).getByRole('button', { name: 'Details' }).evaluateAll(press)
  await page.getByText('Record as JSON').evaluateAll(press)
}

test.skipIf(noChromium)(
  '[X28] [surfaces 33] personal data and messages are hidden, until a reveal with a reason is on record, and again after a reload',
  async ({ annotate }) => {
    const { page, records, faults, goTo } = await openAudit(site, journey)
    const answers: string[] = []
    // The body of a stream never ends.
    const isWhole = (of: Response) => of.headers()['content-type']?.includes('json') ?? false
    page.on('response', (of) => {
      if (!isWhole(of)) return
      // A page that is left takes its answers along.
      const note = (text: string): void => void answers.push(text)
      of.text().then(note, () => undefined)
    })
    await goTo('')
    const isPersonal = (record: (typeof records)[number]) => PERSONAL.test(JSON.stringify(record))
    expect(records.filter(isPersonal).length).toBeGreaterThan(5)
    await openEverything(page)
    expect(await page.content()).not.toMatch(PERSONAL)
    await expect.poll(() => answers.length).toBeGreaterThan(3)
    const seen = [...answers]
    expect(seen.filter((text) => PERSONAL.test(text))).toEqual([])
    await annotate(`0 of ${seen.length} answers to the audit page hold personal data`, 'promise')
    const contact = records.find(({ type }) => type === 'record_customer_contact')?.seq ?? -1
    const values = rowOf(page, contact).locator('dl > div')
    expect(await values.allTextContents()).toEqual([
      'First nameHidden',
      'EmailHidden',
      'MobileHidden',
    ])

    await revealOn(page)
    const [reveal] = await revealsIn(journey)
    expect(reveal).toMatchObject({
      data: { reason: 'A complaint' },
      origin: { source: 'ui', surface: 'auditor', actor: expect.any(String) },
    })
    await expect
      .poll(() => values.allTextContents())
      .toEqual(['First nameSarah', 'Emailsarah@example.com', 'Mobile07700 900 123'])
    await page.getByText('Seventeen and a half thousand pounds').first().waitFor()
    await rowOf(page, reveal?.seq ?? -1)
      .getByText('The personal data of the case was revealed: “A complaint”')
      .waitFor()

    await goTo('?view=all')
    await personalDataOn(page).getByText('Personal data and messages are hidden.').waitFor()
    expect(await page.content()).not.toMatch(PERSONAL)
    await revealOn(page)
    expect(await revealsIn(journey)).toHaveLength(2)
    await page.getByRole('button', { name: 'Hide personal data' }).click()
    expect(await personalDataOn(page).getByRole('status').evaluate(hasFocus)).toBe(true)
    expect(await page.content()).not.toMatch(PERSONAL)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[surfaces 33] the filter and the palette find nothing that is hidden',
  async () => {
    const { page } = await openAudit(site, journey)
    await page.getByRole('textbox', { name: 'Find' }).fill('sarah')
    await page.getByText('Nothing here matches the filters.').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sarah')
    await page.getByRole('dialog').getByText('Nothing found.').waitFor()
    await page.keyboard.press('Escape')
    await revealOn(page)
    await rowsOn(page).first().waitFor()
  },
)

test.skipIf(noChromium)(
  '[surfaces 33] without a reason, or when it cannot be recorded, nothing is shown',
  async () => {
    const own = await finishedCase(site)
    const { page } = await openAudit(site, own)
    const strip = personalDataOn(page)
    await strip.getByRole('button', { name: 'Reveal personal data' }).click()
    expect(await strip.getByRole('textbox').evaluate(hasFocus)).toBe(true)
    await strip.getByRole('button', { name: 'Record and reveal' }).click()
    await strip.getByRole('link', { name: 'Enter your reason' }).waitFor()
    const release = await intercept(page, '**/events', (route) => route.abort())
    await strip.getByLabel('Why do you need to see it?').fill('A complaint')
    await strip.getByRole('button', { name: 'Record and reveal' }).click()
    await strip.getByRole('alert').getByText('so the data stays hidden').waitFor()
    expect(await page.content()).not.toMatch(PERSONAL)
    expect(await revealsIn(own)).toEqual([])
    release()
    await strip.getByRole('button', { name: 'Record and reveal' }).click()
    await strip
      .getByText('Personal data is shown until you leave this page, for 15 minutes at most.')
      .waitFor()
    expect(await strip.getByRole('status').evaluate(hasFocus)).toBe(true)
    expect(await revealsIn(own)).toHaveLength(1)
  },
)

test.skipIf(noChromium)(
  '[surfaces 33] when the reveal has ended, the data is hidden again and the page reads on without it',
  async () => {
    const { page } = await openAudit(site, await finishedCase(site))
    const problem = { code: 'not_revealed', status: 403, title: 'not revealed', detail: 'It ended' }
    const release = await intercept(page, '**/events?reveal=*', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify(problem),
      }),
    )
    const strip = personalDataOn(page)
    await strip.getByRole('button', { name: 'Reveal personal data' }).click()
    await strip.getByLabel('Why do you need to see it?').fill('A complaint')
    await strip.getByRole('button', { name: 'Record and reveal' }).click()
    await rowsOn(page).getByText('The personal data of the case was revealed').first().waitFor()
    await strip.getByText('Personal data and messages are hidden.').waitFor()
    expect(await page.content()).not.toMatch(PERSONAL)
    release()
  },
)

const hasFocus = (element: Element): boolean => element === document.activeElement

const LOOKS = [
  [PHONE, 'dark'],
  [TABLET, 'dark'],
  [DESK, 'light'],
] as const

fullTest.skipIf(noChromium).each(LOOKS)(
  '[surfaces 13] [surfaces 16] [surfaces 33] the control is accessible and fits, %j, %s',
  async (viewport, colorScheme) => {
    const { page } = await openAudit(site, journey, viewport)
    await page.emulateMedia({ colorScheme })
    const name = `reveal, ${viewport.width}, ${colorScheme}`
    await checkAccessible(page, `${name}, hidden`)
    await personalDataOn(page).getByRole('button', { name: 'Reveal personal data' }).click()
    await page.getByRole('button', { name: 'Record and reveal' }).click()
    await look(page, name)
    await checkAccessible(page, `${name}, without a reason`)
    expect(await misplaced(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await revealOn(page)
    await checkAccessible(page, `${name}, shown`)
  },
)
