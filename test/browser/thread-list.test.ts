import type { Page } from 'playwright-core'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import {
  defineAgent,
  defineApp,
  defineDomain,
  open,
  scriptedModel,
} from '../../src/public/index.ts'
import { serve } from '../../src/server/index.ts'
import { inTier } from '../tier.fixture.ts'
import { noChromium, openPage, sharedChromium } from './chromium.fixture.ts'
import { checkLooks } from './journey-steps.fixture.ts'

interface Incident {
  readonly status: string
  readonly what: string
}

const { event, domain } = defineDomain<Incident>()
const by = [{ source: 'ui' }] as const
const incidents = domain({
  name: 'incidents',
  initial: { status: 'new', what: '' },
  events: {
    reported: event({
      schema: z.object({ what: z.string() }),
      by,
      reduce: (_state, { what }) => ({ status: 'open', what }),
    }),
    closed: event({
      schema: z.object({}),
      by,
      reduce: (state) => ({ ...state, status: 'closed' }),
    }),
  },
})
const restarter = defineAgent({
  domain: incidents,
  name: 'restarter',
  model: scriptedModel(() => ({
    text: 'I would like to restart it.',
    toolCalls: [{ name: 'restart', input: {} }],
  })),
  tools: {
    restart: { inputSchema: z.object({}), needsApproval: true, execute: () => 'It was restarted.' },
  },
})
const app = defineApp<Incident>({
  name: 'incidents',
  domain: incidents,
  agents: [restarter],
  index: { status: ({ status }) => status },
})

beforeAll(async () => {
  if (!noChromium) await sharedChromium()
})

async function openList(query = '') {
  const tl = await open({ store: 'memory:', apps: [app] })
  const report = (thread: string, what: string) =>
    tl.propose(thread, [{ type: 'reported', data: { what } }])
  await report('inc-1', 'The shop is down')
  await report('inc-2', 'A boiler <b>in Müllheim</b> drips')
  await tl.turn('inc-1', { agent: 'restarter', input: 'What now?' }).result
  await tl.propose('inc-2', [{ type: 'closed', data: {} }])
  const routes = {
    '/studio/': 'pages/studio/threads.html',
    '/studio/:id': 'pages/studio/index.html',
  }
  const server = await serve(tl, { port: 0, pages: { folder: inject('pages'), routes } })
  onTestFinished(() => server.close())
  const opened = await openPage(await sharedChromium(), { width: 1440, height: 900 })
  // Without the slash, as people write it.
  await opened.page.goto(`${server.url}/studio${query}`)
  return { ...opened, tl, report, url: server.url }
}

const rowsOn = (page: Page) => page.locator('main ol > li')
const names = (page: Page) =>
  rowsOn(page)
    .getByRole('link', { name: /^inc-\d/ })
    .allTextContents()

const LOOKS = [
  [360, 'dark'],
  [1440, 'light'],
  [360, 'light'],
  [1440, 'dark'],
] as const
const CHECKED = inTier({ quick: LOOKS.slice(0, 2), full: [...LOOKS] })

test.skipIf(noChromium)(
  'all threads are listed live with their values and waits, and a link keeps the filters',
  async () => {
    const { page, report, url, faults } = await openList()
    await expect.poll(() => names(page)).toEqual(['inc-2', 'inc-1'])
    await rowsOn(page).filter({ hasText: 'inc-1' }).getByText('1 waits for you').waitFor()
    await report('inc-3', 'The printer is out of paper')
    await expect.poll(() => names(page)).toEqual(['inc-3', 'inc-2', 'inc-1'])
    await checkLooks(page, 'threads-list', CHECKED)
    await page.getByRole('link', { name: 'status: open' }).first().click()
    await expect.poll(() => names(page)).toEqual(['inc-3', 'inc-1'])
    expect(page.url()).toBe(`${url}/studio/?where=status%3Aopen`)
    await page.reload()
    await expect.poll(() => names(page)).toEqual(['inc-3', 'inc-1'])
    await page.goBack()
    await expect.poll(() => names(page)).toEqual(['inc-3', 'inc-2', 'inc-1'])
    await page.goForward()
    await page.getByRole('link', { name: 'Remove status: open' }).click()
    await expect.poll(() => names(page)).toEqual(['inc-3', 'inc-2', 'inc-1'])
    await page.getByRole('link', { name: 'inc-1' }).click()
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/studio/inc-1')
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  'a search finds what was said in any thread, shows it as text and leads to the record',
  async () => {
    const { page, url, faults } = await openList()
    const field = page.getByLabel('Find in all records')
    await field.fill(' x ')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText('Enter at least two characters.').waitFor()
    await field.fill('boiler <b>in müllheim')
    await field.press('Enter')
    await page.locator('mark', { hasText: 'boiler <b>in Müllheim' }).waitFor()
    expect(await page.locator('main ol b').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Search' }).count()).toBe(1)
    await page.getByText(/^Everything was searched\. \d+ records of 2 threads searched$/).waitFor()
    await checkLooks(page, 'threads-found', CHECKED)
    const query = new URL(page.url()).search
    await page.goto(`${url}/studio/${query}`)
    await page.getByRole('link', { name: 'inc-2, record 0' }).click()
    await page.locator('[aria-current] a[href$="ev=0"]').waitFor()
    await page.goto(`${url}/studio/?q=nowhere`)
    await page.getByText(/^Nothing was found\./).waitFor()
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await expect.poll(() => names(page)).toHaveLength(2)
    expect(faults).toEqual([])
  },
)
