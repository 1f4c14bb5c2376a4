import { fullTest } from '../tier.fixture.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { KEPT_CASES_MAX } from '../../apps/home/kept-cases.ts'
import { openingsIn } from '../order/acted-case.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { inspect } from './case-page.fixture.ts'
import { blockStorage, PHONE, TABLET, noChromium, openPage } from './chromium.fixture.ts'
import { OWN_CASE, press, shows } from './journey-steps.fixture.ts'
import { misplaced } from './pseudo-check.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

const site = brokerSite()

const START = 'Start as the installer'
const PALETTE = 'Find or do anything Ctrl K'
const HEADING = 'Your cases in this browser'

/** The start page, in a browser of its own. */
async function openStart(prepare: (page: Page) => Promise<unknown> = async () => {}) {
  const opened = await openPage(site.browser, PHONE)
  await prepare(opened.page)
  await opened.page.goto(site.broker.url)
  return opened
}

async function startCase(page: Page): Promise<void> {
  await page.getByText(OWN_CASE).click()
  await page.getByLabel('Retailer').fill('Sunny Roofs Ltd')
  await press(page, 'Start a case')
  await shows(page, 'The case is ready')
}

const row = (page: Page) => page.getByRole('listitem').filter({ hasText: 'Started' })

test.skipIf(noChromium)(
  'the start page lists the browser’s own cases, opens them without tokens, and can forget them',
  async () => {
    const { page, context, faults } = await openStart()
    expect(await page.getByRole('heading', { name: HEADING }).count()).toBe(0)
    await startCase(page)
    await page.getByRole('link', { name: 'Open as the installer' }).click()
    await page.getByText('Status: Taking details').waitFor()
    await page.getByText('Sunny Roofs Ltd').first().waitFor({ state: 'attached' })
    const { pathname } = new URL(page.url())

    await page.goto(site.broker.url)
    await shows(page, HEADING)
    await row(page).getByText('With the installer', { exact: true }).waitFor()
    await inspect(page, 'start-page-cases')
    const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
    expect(kept).toContain(pathname.split('/').at(-1))
    expect(kept).not.toMatch(/token|Sunny|eyJ/i)

    for (const [name, there] of [
      ['Installer', 'Status: Taking details'],
      ['Customer', 'Your installer is still filling this in'],
      ['Audit', 'Sunny Roofs Ltd'],
    ] as const) {
      const other = await context.newPage()
      await other.goto(site.broker.url)
      const link = row(other).getByRole('link', { name: new RegExp(`^${name} \\d`) })
      expect(await link.getAttribute('href')).not.toContain('#')
      await link.click()
      await other.getByText(there).first().waitFor({ state: 'attached' })
    }

    const stranger = await openPage(site.browser, TABLET)
    await stranger.page.goto(`${site.broker.url}${pathname}`)
    await shows(stranger.page, 'This link does not open a case')

    await press(page, await nameOfForget(page))
    expect(await page.getByRole('heading', { name: HEADING }).count()).toBe(0)
    await page.reload()
    await page.getByRole('button', { name: START }).waitFor()
    expect(await page.getByRole('heading', { name: HEADING }).count()).toBe(0)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[S12] starting a case opens none of its pages; a page that is entered without its token is recorded once',
  async () => {
    const { page, context } = await openStart()
    await startCase(page)
    const [link] = await page.getByRole('link', { name: /^Installer \d/ }).all()
    const sessionId = (await link?.getAttribute('href'))?.split('/').at(-1) ?? ''
    const openings = async () => openingsIn(await recordsOf(site.broker.log, sessionId))
    expect(await openings()).toEqual([])
    for (const [name, there] of [
      ['Installer', 'Status: Taking details'],
      ['Customer', 'Your installer is still filling this in'],
    ] as const) {
      const other = await context.newPage()
      await other.goto(site.broker.url)
      await row(other)
        .getByRole('link', { name: new RegExp(`^${name} \\d`) })
        .click()
      await other.getByText(there).first().waitFor({ state: 'attached' })
      await other.reload()
      await other.getByText(there).first().waitFor({ state: 'attached' })
    }
    const roles = (await openings()).map((opening) => opening.split(' ')[0])
    expect(roles).toEqual(['installer', 'customer'])
    expect(new Set((await openings()).map((opening) => opening.split(' ')[1])).size).toBe(1)
  },
)

const nameOfForget = async (page: Page) =>
  (await row(page).getByRole('button').textContent())?.trim() ?? ''

fullTest.skipIf(noChromium)(
  'the start page keeps a bounded number of cases, newest first',
  async () => {
    const { page } = await openStart()
    for (let count = 0; count <= KEPT_CASES_MAX; count += 1) {
      await startCase(page)
      await page.reload()
      await shows(page, HEADING)
    }
    expect(await row(page).count()).toBe(KEPT_CASES_MAX)
    for (const link of [row(page).first(), row(page).last()]) {
      const [opened] = [await page.context().newPage()]
      await opened.goto(
        new URL((await link.getByRole('link').first().getAttribute('href')) ?? '', page.url()).href,
      )
      await opened.getByText('Status: Taking details').waitFor()
    }
  },
)

fullTest.skipIf(noChromium)(
  'the start page works without storage and with broken stored values',
  async () => {
    const blocked = await openStart((page) => blockStorage(page, ['localStorage']))
    await startCase(blocked.page)
    await shows(blocked.page, HEADING)
    await blocked.page.reload()
    await blocked.page.getByRole('button', { name: START }).waitFor()
    expect(await blocked.page.getByRole('heading', { name: HEADING }).count()).toBe(0)
    for (const broken of ['{', '5', '[1,{"sessionId":5}]', '[{"sessionId":"x","startedAt":"y"}]']) {
      await blocked.page.addInitScript(() => {
        Object.defineProperty(globalThis, 'localStorage', { value: sessionStorage })
      })
      await blocked.page.goto(site.broker.url)
      await blocked.page.evaluate((text) => localStorage.setItem('started cases', text), broken)
      await blocked.page.reload()
      await blocked.page.getByRole('button', { name: START }).waitFor()
      expect(await blocked.page.getByRole('heading', { name: HEADING }).count()).toBe(0)
    }
    expect(blocked.faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  'the lenders decide as they would, unless a person chooses',
  async () => {
    const { page } = await openStart()
    const group = page.getByRole('group', { name: 'How should the lenders answer?' })
    expect(await group.getByRole('radio', { checked: true }).inputValue()).toBe('auto')
    await group.getByText('They all decline').click()
    expect(await group.getByRole('radio', { checked: true }).inputValue()).toBe('decline')
  },
)

fullTest.skipIf(noChromium)(
  'the foot of the start page says whether the server works',
  async () => {
    const { page } = await openStart()
    await page.getByRole('contentinfo').getByText('All working').waitFor()
    const silent = await openPage(site.browser, PHONE)
    await silent.page.route('**/api/health', (route) => route.abort())
    await silent.page.goto(site.broker.url)
    await silent.page.getByRole('contentinfo').getByText('The server does not answer').waitFor()
  },
)

fullTest.skipIf(noChromium)(
  'the start page fits at 320 pixels, with text of twice the size, and can be used by keyboard',
  async () => {
    const { page } = await openStart()
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByRole('contentinfo').getByText('All working').waitFor()
    for (const size of ['100%', '200%']) {
      await page.evaluate((to) => (document.documentElement.style.fontSize = to), size)
      expect([size, await misplaced(page)]).toEqual([size, []])
    }
    const reached: string[] = []
    for (let count = 0; count < 8; count += 1) {
      await page.keyboard.press('Tab')
      reached.push(await page.evaluate(() => document.activeElement?.textContent.trim() ?? ''))
    }
    // A group of radio buttons needs one press of Tab.
    expect(reached).toEqual([
      PALETTE,
      '',
      START,
      'Open the desk',
      'Open the team',
      'All threads, and a search in them',
      OWN_CASE,
      'Health as JSON',
    ])
  },
)
