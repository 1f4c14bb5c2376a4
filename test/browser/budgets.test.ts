import { serve } from '@hono/node-server'
import type { ServerType } from '@hono/node-server'
import { Hono } from 'hono'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readPages } from '../../src/server/routes/pages.ts'
import { fullTest, inTier } from '../tier.fixture.ts'
import { PHONE, sharedChromium, noChromium, openPage } from './chromium.fixture.ts'
import { watchTraffic } from './page-traffic.fixture.ts'

const KB = 1_000
/** The page with its styles, the font, the icon and the scripts. */
const CUSTOMERS = { bytesMax: 95 * KB, filesMax: 8 }
const OPERATORS = { bytesMax: 200 * KB, filesMax: 10 }
const CALL_US = 'tel:08000000000'

interface Budget {
  readonly path: string
  readonly file: string
  readonly bytesMax: number
  readonly filesMax: number
  readonly title: string
  /** Only for the broker's customers and installers. */
  readonly phone?: string
}

const PAGES: readonly Budget[] = [
  {
    path: '/home',
    file: 'home/index.html',
    ...OPERATORS,
    title: 'See who did what, and why.',
  },
  {
    path: '/demonstration/a',
    file: 'home/demonstration/index.html',
    ...OPERATORS,
    // Its frames load as well, here without pages behind them.
    filesMax: 16,
    title: 'A loan for solar panels',
  },
  {
    path: '/nowhere',
    file: 'home/missing/index.html',
    ...OPERATORS,
    title: 'There is no page at this address',
  },
  {
    path: '/components',
    file: 'components/index.html',
    ...OPERATORS,
    // Some of its components are on one other page alone, so that they are not in the file of all.
    filesMax: 11,
    title: 'Components',
  },
  {
    path: '/customer/a',
    file: 'broker/customer/index.html',
    ...CUSTOMERS,
    title: 'Opening your application',
    phone: CALL_US,
  },
  {
    path: '/broker/disclosure/a/b',
    file: 'broker/customer/hosted/index.html',
    ...CUSTOMERS,
    title: 'A statement from the broker',
    phone: CALL_US,
  },
  {
    path: '/installer/a',
    file: 'broker/installer/index.html',
    ...OPERATORS,
    title: 'New customer',
    phone: CALL_US,
  },
  { path: '/team', file: 'team/console/index.html', ...OPERATORS, title: 'Team' },
  { path: '/audit/a', file: 'pages/audit/index.html', ...OPERATORS, title: 'Audit' },
  {
    path: '/threads/a',
    file: 'pages/threads/index.html',
    ...OPERATORS,
    title: 'Agents at work',
  },
]

test('the pages are built without a warning, so they need no module of Node', () => {
  expect(inject('pageWarnings')).toBe('')
})

test.each(PAGES)(
  '[surfaces 51] the head of $file names its character set first, its title, font and icon once, and sends no referrer',
  async ({ file }) => {
    const html = await readFile(join(inject('pages'), file), 'utf8')
    const head = html.slice(html.indexOf('<head>'), html.indexOf('</head>'))
    expect(head).toMatch(/^<head>\s*<meta charset="utf-8"/)
    const once = [
      'name="viewport"',
      'name="referrer" content="no-referrer"',
      '<title>',
      'rel="icon"',
    ]
    const fonts = 'rel="preload"'
    for (const part of [...once, fonts]) {
      expect([part, head.split(part).length - 1]).toEqual([part, 1])
    }
    expect(head).toMatch(/href="\/assets\/figtree-latin-[\w-]+\.woff2"/)
    expect(html).not.toContain('<!-- shared')
  },
)

let server: ServerType
let url: string
let browser: Browser

beforeAll(async () => {
  if (noChromium) return
  const app = new Hono()
  const routes = Object.fromEntries(PAGES.map(({ path, file }) => [path, file]))
  readPages({ folder: inject('pages'), routes }).mount(app)
  server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await sharedChromium()
})
afterAll(async () => {
  if (noChromium) return
  server.close()
})

/** Every run loads the pages of customers, who come by phone. */
const LOADED = inTier({
  quick: PAGES.filter(({ bytesMax }) => bytesMax === CUSTOMERS.bytesMax),
  full: PAGES,
})

test.skipIf(noChromium).each(LOADED)(
  '[surfaces 46] [surfaces 52] $file takes at most $bytesMax bytes on the wire',
  async ({ path, bytesMax, filesMax }) => {
    const { page } = await openPage(browser, PHONE)
    const { transfers } = await watchTraffic(page)
    await page.goto(url + path)
    await page.evaluate(() => document.fonts.ready)

    const readFiles = () => transfers().filter(({ path: from }) => !from.startsWith('/api'))
    await expect.poll(() => readFiles().filter(({ endedAt }) => endedAt === undefined)).toEqual([])
    const files = readFiles()
    const bytes = files.reduce((sum, transfer) => sum + transfer.bytes, 0)
    const paths = files.map((transfer) => transfer.path)
    expect(paths).toContainEqual(expect.stringMatching(/\.js$/))
    expect(paths).toContainEqual(expect.stringMatching(/\.woff2$/))
    expect(bytes).toBeLessThanOrEqual(bytesMax)
    expect(files.length).toBeLessThanOrEqual(filesMax)
  },
)

fullTest.skipIf(noChromium).each(PAGES)(
  '[surfaces 51] without scripts $file shows its title, a sentence and what to do',
  async ({ path, title, phone }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE })
    try {
      const page = await context.newPage()
      await page.goto(url + path)

      expect(await page.getByRole('banner').innerText()).toMatch(/Clearpath|Throughline/)
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title)
      expect(await page.locator('main > p').first().innerText()).toMatch(/\w{3}.*\.$/)
      const late = page.locator('noscript p')
      expect(await late.innerText()).toContain('This page needs JavaScript')
      expect(await late.getByRole('link').evaluateAll((links) => links.map(String))).toEqual(
        phone === undefined ? [] : [phone],
      )
    } finally {
      await context.close()
    }
  },
)
