import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { timeline } from '../../apps/broker/audit/index.ts'
import { fullTest } from '../tier.fixture.ts'
import { DESK, finishedCase, openAudit, revealOn, rowOf, rowsOn } from './audit-page.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { noChromium } from './chromium.fixture.ts'
import { caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'

const site = brokerSite()
let journey: Journey

beforeAll(async () => {
  if (!noChromium) journey = await finishedCase(site)
})

const paramsOf = (page: Page) => new URL(page.url()).searchParams

test.skipIf(noChromium)(
  '[B009] an audit opens with what mattered, in the sentences of its timeline, and every record is one choice away',
  async () => {
    const { page, records, faults } = await openAudit(site, journey)
    const mattered = new Set(timeline(records).map(({ seq }) => seq))
    expect(mattered.size).toBeLessThan(records.length / 2)
    expect(await rowsOn(page).count()).toBe(mattered.size)
    expect(await page.getByLabel(`What mattered (${mattered.size})`).isChecked()).toBe(true)
    await rowsOn(page).getByText('Consent to credit search granted').waitFor()
    await rowsOn(page)
      .getByText('Not accepted: to withdraw the application. The case had ended')
      .waitFor()
    await rowsOn(page)
      .getByText(/^Harbour Bank: approved as asked for, £197.71 a month for 10 years/)
      .waitFor()
    expect(await rowsOn(page).getByText('The model was called').count()).toBe(0)
    await page.getByLabel('Every record').check()
    await page.getByText(`1 to 60 of ${records.length}`).waitFor()
    expect(paramsOf(page).get('view')).toBe('all')
    await page.reload()
    await rowsOn(page).getByText('The model was called').first().waitFor()
    await page.getByLabel('What mattered').check()
    expect(await rowsOn(page).count()).toBe(mattered.size)
    expect(page.url()).not.toContain('?')
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[surfaces 35] a malformed event is shown as refused, with its reason, and its values were not taken',
  async () => {
    const malformed = await caseAfter(site.broker, 3)
    const before = await malformed.state()
    await malformed.click(['capture_consent', { consentType: 'credit_search', granted: 'maybe' }])
    expect((await malformed.state())['consents']).toEqual(before['consents'])
    const { page, faults } = await openAudit(site, malformed)
    await rowsOn(page)
      .getByText('Not accepted: the answer to a consent. The values were not valid')
      .waitFor()
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 24] a link to a record opens it, in the view of all when the other one leaves it out',
  async () => {
    const { page, records, goTo } = await openAudit(site, journey)
    const consent = records.find(({ type }) => type === 'capture_consent')?.seq ?? -1
    const part = records.findLast(({ type }) => type === 'TEXT_MESSAGE_CONTENT')?.seq ?? -1
    await goTo(`?ev=${consent}`)
    const opened = page.locator('[aria-current=true]')
    await opened.getByText('Granted', { exact: true }).waitFor()
    expect(await opened.getByText('"granted": true').isVisible()).toBe(false)
    await opened.getByText('Record as JSON').click()
    await opened.getByText('"granted": true').waitFor()
    expect(await page.getByLabel('What mattered').isChecked()).toBe(true)
    await page.getByRole('heading', { name: `State after record ${consent}` }).waitFor()
    await goTo(`?ev=${part}`)
    await revealOn(page)
    await opened.getByText('Part of a message').waitFor()
    expect(await page.getByLabel('Every record').isChecked()).toBe(true)
    await expect.poll(() => opened.evaluate(isSeen)).toBe(true)
    await page.getByLabel('What mattered').check()
    expect(await opened.count()).toBe(0)
    await rowOf(page, consent).getByRole('link').click()
    expect(paramsOf(page).get('ev')).toBe(`${consent}`)
  },
)

const isSeen = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return top < innerHeight && bottom > 0
}

fullTest.skipIf(noChromium)(
  'each record says who caused it and on which side, and a list says what the marks mean',
  async () => {
    const { page, records } = await openAudit(site, journey)
    const marks = page.getByRole('list', { name: 'Marks' })
    expect(await marks.getByRole('listitem').allTextContents()).toEqual([
      'Person',
      'Model',
      'Rule',
      'System',
    ])
    expect(await marks.locator('svg[aria-hidden=true]').count()).toBe(4)
    const whoCaused = async (type: string): Promise<string | null> => {
      const { seq = -1 } = records.find((record) => record.type === type) ?? {}
      return rowOf(page, seq).locator('svg + span').textContent()
    }
    expect(await whoCaused('TEXT_MESSAGE_END')).toBe('Installer')
    expect(await whoCaused('record_project_facts')).toBe('Model for the installer')
    expect(await whoCaused('present_disclosure')).toBe('Model for the customer')
    expect(await whoCaused('capture_consent')).toBe('Customer')
    expect(await whoCaused('submit_application')).toBe('Rule R3')
    expect(await whoCaused('waterfall_recorded')).toBe('System')
    expect(await rowsOn(page).getByText('Person', { exact: true }).count()).toBe(0)
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 28] the details of a record list its values by name, and say why a rule acted',
  async () => {
    const { page, records } = await openAudit(site, journey)
    const detailsOf = async (type: string, source: string) => {
      const isWanted = (each: (typeof records)[number]) =>
        each.type === type && each.origin.source === source
      const row = rowOf(page, records.find(isWanted)?.seq ?? -1)
      await row.getByRole('button', { name: 'Details' }).click()
      return row
    }
    const project = await detailsOf('record_project_facts', 'model')
    await project.getByText('Project recorded: price £17,500, deposit 10%').waitFor()
    const values = await project.locator('dl > div').allTextContents()
    expect(values).toEqual(['Price£17,500', 'Deposit10%', 'Systempanels and battery'])
    const acted = await detailsOf('acknowledge_disclosure', 'rule')
    await acted.getByText('Rule R1: whoever says yes to the credit search').waitFor()
    const shown = await detailsOf('present_disclosure', 'rule')
    await shown.getByText('Rule R2: a yes to the credit search').waitFor()
    const sent = await detailsOf('submit_application', 'rule')
    await sent.getByText('Rule R3: nothing is missing any more').waitFor()
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 23] a clean case shows neither notes to the model nor refused showings under what mattered',
  async () => {
    const { page } = await openAudit(site, journey)
    await rowsOn(page).first().waitFor()
    expect(await rowsOn(page).getByText('The model was told').count()).toBe(0)
    expect(await rowsOn(page).getByText('Not accepted: to show a disclosure').count()).toBe(0)
  },
)

fullTest.skipIf(noChromium)('no sentence is cut within a word', async () => {
  const { page, records, goTo } = await openAudit(site, journey)
  await goTo('?view=all&q=part+of+a+message')
  await revealOn(page)
  const rows = rowsOn(page).filter({ hasText: 'Part of a message: “' })
  await rows.first().waitFor()
  const parts = await rows.allTextContents()
  const wholes = timeline(records).flatMap(({ kind, summary }) =>
    kind === 'message' ? summary.split(/[\s“”]+/) : [],
  )
  const told = parts.flatMap((part) => (/“(.*)”/s.exec(part)?.[1] ?? '').split(/\s+/))
  expect(told.length).toBeGreaterThan(100)
  expect(told.filter((word) => !wholes.includes(word))).toEqual([])
})

fullTest.skipIf(noChromium)(
  '[surfaces 23] the timeline is filtered by who, by side and by words; the count and the address show it',
  async () => {
    const { page } = await openAudit(site, journey)
    await page.getByLabel('Rule (3)').check()
    await page.getByText(/^3 of \d+ shown$/).waitFor()
    expect(await rowsOn(page).count()).toBe(3)
    await page.getByRole('textbox', { name: 'Find' }).fill('Pre contract')
    await page.getByText(/^1 of \d+ shown$/).waitFor()
    expect(page.url()).toContain('?who=rule&q=Pre+contract')
    await page.reload()
    await page.getByText(/^1 of \d+ shown$/).waitFor()
    expect(await page.getByLabel('Rule (3)').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await page.getByLabel('Installer (').check()
    const sides = await rowsOn(page).locator('svg + span').allTextContents()
    expect(new Set(sides)).toEqual(new Set(['Installer', 'Model for the installer']))
    await page.getByRole('textbox', { name: 'Find' }).fill('no such words')
    await page.getByText('Nothing here matches the filters.').waitFor()
  },
)

const LONG = `${' word'.repeat(100)} the very end`

fullTest.skipIf(noChromium)(
  '[surfaces 21] at most 60 rows are drawn, and the details of a row have its whole text',
  async () => {
    const long = await finishedCase(site)
    const head = await site.broker.log.head(long.sessionId)
    const notes = Array.from({ length: 600 }, (_, at) => ({
      type: 'CUSTOM',
      data: { name: 'throughline.note', value: `Note ${at}${at === 599 ? LONG : ''}` },
      origin: { source: 'system', depth: 0 } as const,
    }))
    await site.broker.log.append(long.sessionId, notes)
    const { page, goTo } = await openAudit(site, long)
    await goTo('?view=all')
    await revealOn(page)
    expect(await rowsOn(page).count()).toBe(60)
    await page.getByRole('button', { name: 'Last' }).click()
    const row = rowOf(page, head + 600)
    const shown = /Note 599 word .* word… \(the rest is under Details\)/
    await expect.poll(() => row.textContent()).toMatch(shown)
    expect(await rowsOn(page).count()).toBeLessThanOrEqual(60)
    await row.getByRole('button', { name: 'Details' }).click()
    await row.getByText('the very end').first().waitFor()
    await goTo(`?view=all&ev=${head + 300}`)
    await revealOn(page)
    await page.locator('[aria-current=true]').getByText('The model was told: Note 299').waitFor()
    expect(await rowsOn(page).count()).toBe(60)
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 14] by keyboard alone: from the view to a record, its details and the text that it is about',
  async () => {
    const { page, records } = await openAudit(site, journey, DESK)
    const shown = records.find(({ type }) => type === 'present_disclosure')?.seq ?? -1
    await page.getByLabel('What mattered').focus()
    await page.keyboard.press('ArrowDown')
    expect(await page.getByLabel('Every record').isChecked()).toBe(true)
    await page.keyboard.press('ArrowUp')
    const details = rowOf(page, shown).getByRole('button', { name: 'Details' })
    for (let at = 0; at < 60; at++) {
      if (await details.evaluate((element) => element === document.activeElement)) break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await rowOf(page, shown).getByText('This is the text that was shown').waitFor()
    expect(await details.getAttribute('aria-expanded')).toBe('true')
    expect(await details.evaluate((element) => element === document.activeElement)).toBe(true)
  },
)
