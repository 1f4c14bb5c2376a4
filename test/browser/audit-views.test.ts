import { beforeAll, expect, test } from 'vitest'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Download, Page } from 'playwright-core'
import type { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { DESK, finishedCase, openAudit } from './audit-page.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { noChromium, openPage } from './chromium.fixture.ts'
import { newFolder } from '../folders.fixture.ts'
import { inTier } from '../tier.fixture.ts'
import { checkLooks } from './journey-steps.fixture.ts'

const site = brokerSite()
let journey: Journey

beforeAll(async () => {
  if (!noChromium) journey = await finishedCase(site)
})

const LOOKS = [
  [360, 'dark'],
  [768, 'light'],
  [1440, 'light'],
  [360, 'light'],
  [768, 'dark'],
  [1440, 'dark'],
] as const
const CHECKED = inTier({ quick: LOOKS.slice(0, 3), full: [...LOOKS] })

const selected = (page: Page) => new URL(page.url()).searchParams.get('ev')

test.skipIf(noChromium)(
  'the scrubber moves from row to row by keyboard, and plays the thread as it happened',
  async () => {
    const { page, records, faults } = await openAudit(site, journey)
    const range = page.getByRole('slider', { name: 'Record' })
    await range.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => selected(page)).toBe('0')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => Number(selected(page))).toBeGreaterThan(0)
    const second = Number(selected(page))
    // A step lands on a row of the timeline, not on a record that it leaves out.
    await page.locator(`[aria-current] a[href="?ev=${second}"]`).waitFor()
    await page.keyboard.press('End')
    await expect.poll(() => Number(selected(page))).toBeGreaterThan(records.length - 20)
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('16')
    await page.getByRole('button', { name: 'Play' }).click()
    await expect.poll(() => Number(selected(page))).toBeGreaterThan(second)
    await page.getByRole('button', { name: 'Pause' }).click()
    const paused = selected(page)
    await page.waitForTimeout(300)
    expect(selected(page)).toBe(paused)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  'a reader saves the export of a thread, and a bundle that says whether it can be verified',
  async () => {
    const { page, faults } = await openAudit(site, journey)
    const saved = async (name: string): Promise<Download> => {
      const file = page.waitForEvent('download')
      await page.getByRole('button', { name }).click()
      return file
    }
    const exported = await saved('Export')
    expect(exported.suggestedFilename()).toBe(`${journey.sessionId}.jsonl`)
    const bundle = await saved('Bundle for an auditor')
    expect(bundle.suggestedFilename()).toBe(`${journey.sessionId}.html`)
    const path = join(newFolder(), 'case.html')
    await bundle.saveAs(path)
    await page.goto(pathToFileURL(path).href)
    await page.getByText(/^Cannot tell: .* in part/).waitFor()
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  'a watched path stands beside each row, marked where a record has set it, and a link keeps it',
  async () => {
    const { page, faults, goTo } = await openAudit(site, journey)
    await page.getByLabel('Path in the state').fill('status')
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByText('A path begins with /').waitFor()
    await page.getByLabel('Path in the state').fill('/status')
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.locator('[title="/status"][data-set=true]').first().waitFor()
    const query = new URL(page.url()).search
    expect(query).toContain('watch=%2Fstatus')
    await goTo(query)
    await page.locator('[title="/status"][data-set=true]').first().waitFor()
    await page.getByRole('button', { name: 'Stop watching /status' }).click()
    await expect.poll(() => page.locator('[title="/status"]').count()).toBe(0)
    await goTo(query)
    await checkLooks(page, 'audit-thread', CHECKED)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  'the runs of each turn are shown with their time and tokens, and lead to their records',
  async () => {
    const { page, faults } = await openAudit(site, journey)
    await page.getByRole('link', { name: 'Runs' }).click()
    const table = page.getByRole('region', { name: 'What ran in this turn' })
    await table.getByRole('link', { name: 'customer' }).waitFor()
    expect(await page.getByText('tokens', { exact: true }).count()).toBe(1)
    const turns = page.getByRole('combobox', { name: 'Turn' })
    await turns.selectOption({ index: 0 })
    await table.getByRole('link', { name: 'installer' }).waitFor()
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    expect((await file).suggestedFilename()).toMatch(/^turn-.+\.csv$/)
    await checkLooks(page, 'audit-runs', CHECKED)
    await table.getByRole('link', { name: 'installer' }).click()
    await page.getByText('Run started').or(page.locator('[aria-current]')).first().waitFor()
    expect(Number(selected(page))).toBeGreaterThan(0)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  'two points of a thread are compared by what was recorded and by their states',
  async () => {
    const { page, faults, goTo } = await openAudit(site, journey)
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByLabel('B: thread and record').fill('nothing')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('Enter a thread and a record').waitFor()
    await page.getByLabel('B: thread and record').fill(`${journey.sessionId}@20`)
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText(/^\d+ of \d+ differ\./).waitFor()
    await page.getByText('/status').waitFor()
    await checkLooks(page, 'audit-compare', CHECKED)
    // The view scrolls in itself: below it the page has nothing.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(height).toBeLessThanOrEqual(900)
    await page.goto(page.url().replace(/with=[^&]*/, 'with=no-such-thread%407'))
    await page.getByText('The thread no-such-thread could not be read.').waitFor()
    await goTo('?tab=thread')
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
  },
)

test.skipIf(noChromium)(
  'the page of agents says of a case that its reader may not open it, not that nothing was asked there',
  async () => {
    const { page } = await openPage(site.browser, DESK)
    await page.goto(`${site.broker.url}/threads/${journey.sessionId}`)
    await page.getByRole('heading', { name: 'This link does not open a case' }).waitFor()
    await page.goto(`${site.broker.url}/threads/a-thread-that-is-still-to-begin`)
    await page.getByText('Nothing has been asked in this thread yet.').waitFor()
  },
)
