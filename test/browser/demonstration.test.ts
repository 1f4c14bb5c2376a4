import { fullTest } from '../tier.fixture.ts'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openingsIn } from '../order/acted-case.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { inspect } from './case-page.fixture.ts'
import { PHONE, TABLET, look, noChromium, openPage } from './chromium.fixture.ts'
import { checkAccessible, press, shows } from './journey-steps.fixture.ts'
import { misplaced } from './pseudo-check.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

const site = brokerSite()

const DESKTOP = { width: 1280, height: 800 }
const TITLES = ['Installer', 'Customer’s phone', 'Audit']

const pane = (page: Page, title: string) => page.frameLocator(`iframe[title="${title}"]`)

/** A browser in which a person has pressed the one button of the demonstration. */
async function openDemonstration(viewport = DESKTOP) {
  const opened = await openPage(site.browser, viewport)
  const { page } = opened
  await page.goto(site.broker.url)
  await press(page, 'Start as the installer')
  await page.waitForURL(/\/demonstration\//)
  const message = pane(page, 'Installer').getByRole('textbox', { name: 'Message' })
  await message.waitFor()
  return { ...opened, message, sessionId: new URL(page.url()).pathname.split('/').at(-1) ?? '' }
}

const send = (page: Page) =>
  pane(page, 'Installer').getByRole('button', { name: 'Send', exact: true }).click()

test.skipIf(noChromium)(
  '[surfaces 61] one press opens three panes of one new case, and what the installer sends appears in all',
  async () => {
    const { page, message, sessionId, faults } = await openDemonstration()
    expect(page.url()).not.toContain('token')
    const frames = await page.locator('iframe').all()
    const titles = await Promise.all(frames.map((frame) => frame.getAttribute('title')))
    expect(titles).toEqual(TITLES)
    expect(await message.inputValue()).toMatch(/^Solar and a battery for £17,500/)
    const customer = pane(page, 'Customer’s phone')
    await customer.getByText('Your installer is still filling this in').waitFor()
    const audit = pane(page, 'Audit')
    await audit.getByText(/The case was opened for .*, as a demonstration/).waitFor()
    const records = await recordsOf(site.broker.log, sessionId)
    expect(records.some(({ origin }) => origin.source === 'model')).toBe(false)

    await send(page)
    await audit.getByText(/^Project recorded/).waitFor()
    await pane(page, 'Installer').getByRole('button', { name: 'Facts' }).click()
    await pane(page, 'Installer').getByText('£15,750').waitFor()
    await customer.getByRole('heading', { name: 'Here is who we are' }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await checkAccessible(page, `demonstration, ${colorScheme}`)
      await look(page, `demonstration-${colorScheme}`)
    }
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[S12] [surfaces 61] the audit pane calls the case a demonstration and raises no anomaly of one browser',
  async () => {
    const { page, sessionId } = await openDemonstration()
    const audit = pane(page, 'Audit')
    await audit.getByRole('button', { name: 'Case file' }).click()
    await audit.getByText('Yes, one person may play every part').waitFor()
    expect(await audit.getByText('opened in the same browser').count()).toBe(0)
    const openings = openingsIn(await recordsOf(site.broker.log, sessionId))
    expect(openings.map((opening) => opening.split(' ')[0]).toSorted()).toEqual([
      'auditor',
      'customer',
      'installer',
    ])
    expect(new Set(openings.map((opening) => opening.split(' ')[1])).size).toBe(1)
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 61] below 1024 pixels the panes are tabs, and each fits',
  async () => {
    const { page } = await openDemonstration(PHONE)
    for (const title of TITLES) {
      await page.getByRole('button', { name: title }).click()
      for (const each of TITLES) {
        expect([title, each, await page.locator(`iframe[title="${each}"]`).isVisible()]).toEqual([
          title,
          each,
          each === title,
        ])
      }
    }
    await page.setViewportSize({ width: 320, height: 640 })
    for (const size of ['100%', '200%']) {
      await page.evaluate((to) => (document.documentElement.style.fontSize = to), size)
      expect([size, await misplaced(page)]).toEqual([size, []])
    }
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 61] each pane says what to do first, and the installer’s header takes a small part of its pane',
  async () => {
    const { page } = await openDemonstration()
    const first = ['press Send', 'answer each card', 'Watch each act arrive']
    for (const [at, title] of TITLES.entries()) {
      await page
        .getByRole('region', { name: title })
        .getByText(first[at] ?? '')
        .waitFor()
    }
    const tops = await page
      .locator('iframe')
      .evaluateAll((frames) => frames.map((frame) => frame.getBoundingClientRect().top))
    expect(new Set(tops).size).toBe(1)
    await send(page)
    const header = pane(page, 'Installer').getByRole('banner')
    await header.getByText('Waiting for the customer').waitFor()
    const { height = Infinity } = (await header.boundingBox()) ?? {}
    expect(height).toBeLessThan(90)
    await page.getByText('press Send').waitFor({ state: 'detached' })
    expect(await page.getByText('answer each card').count()).toBe(1)
    await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: 'Audit' }).click()
    await page.getByText('Watch each act arrive').waitFor()
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 22] [surfaces 61] the audit pane follows the newest act, also when it is filtered, until its reader scrolls up',
  async () => {
    const { page, sessionId } = await openDemonstration()
    const audit = pane(page, 'Audit')
    await send(page)
    const newest = audit.getByRole('region', { name: /^Timeline/ }).locator('ol > li')
    const isNewestInView = () => newest.last().evaluate(isInView)
    await audit.getByText('The case was handed over to the customer').waitFor()
    await expect.poll(isNewestInView).toBe(true)
    await audit.getByText('Filters:').click()
    await audit.getByLabel('System (').check()
    await revokeLinks(sessionId, 20)
    await expect.poll(isNewestInView).toBe(true)
    await newest.first().scrollIntoViewIfNeeded()
    await expect.poll(isNewestInView).toBe(false)
    await revokeLinks(sessionId, 2)
    await audit.getByRole('button', { name: '2 new' }).click()
    await expect.poll(isNewestInView).toBe(true)
  },
)

const isInView = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight + 1
}

/** Records of the system that an audit shows, one commit each. */
async function revokeLinks(sessionId: string, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const data = { role: 'customer', token: `link ${at}` }
    const origin = { source: 'system', depth: 0 } as const
    await site.broker.log.append(sessionId, [{ type: 'token_revoked', data, origin }])
  }
}

fullTest.skipIf(noChromium)(
  '[surfaces 16] [surfaces 61] with letters of 200 % the installer’s pane shows its conversation on a phone',
  async () => {
    const { page } = await openDemonstration(PHONE)
    await page.locator('iframe').first().waitFor()
    const root = () => (document.documentElement.style.fontSize = '200%')
    await page.evaluate(root)
    const frame = page.frames().find((each) => each.url().includes('/installer/'))
    await frame?.evaluate(root)
    const seen = pane(page, 'Installer').getByRole('log').locator('xpath=../..')
    await expect.poll(() => seen.evaluate((element) => element.clientHeight)).toBeGreaterThan(150)
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 61] a reload keeps the panes open without their tokens, and puts no message back',
  async () => {
    const { page, message } = await openDemonstration()
    await send(page)
    await pane(page, 'Audit')
      .getByText(/^Project recorded/)
      .waitFor()
    await page.reload()
    await pane(page, 'Audit')
      .getByText(/^Project recorded/)
      .waitFor()
    await message.waitFor()
    expect(await message.inputValue()).toBe('')
    await page.goto(site.broker.url)
    await shows(page, 'Your cases in this browser')
    await shows(page, 'Sarah, £15,750')
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Sarah')
    await inspect(page, 'start-page-demonstration')
    await page.setViewportSize(DESKTOP)
    await page.getByRole('link', { name: /^All three \d/ }).click()
    await pane(page, 'Audit')
      .getByText(/^Project recorded/)
      .waitFor()
  },
)

/** A page of another origin that holds one address in a frame. */
async function serveFrameOf(address: string): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Elsewhere</title><iframe src="${address}"></iframe>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}/`
}

test.skipIf(noChromium)(
  '[surfaces 61] the browser refuses to show our pages in a frame of another origin',
  async () => {
    const { page, faults } = await openPage(site.browser, TABLET)
    for (const path of ['/', '/installer/x', '/customer/x', '/audit/x', '/demonstration/x']) {
      faults.length = 0
      await page.goto(await serveFrameOf(new URL(path, site.broker.url).href))
      await expect.poll(() => faults.some((fault) => fault.includes('frame-ancestors'))).toBe(true)
      expect([path, page.frames().at(-1)?.url()]).toEqual([path, 'chrome-error://chromewebdata/'])
    }
  },
)

test.skipIf(noChromium)(
  '[surfaces 61] an unknown address and a link without a token say what happened and what to do',
  async () => {
    const { page } = await openPage(site.browser, PHONE)
    const missing = await page.goto(`${site.broker.url}/customers/sarah`)
    expect(missing?.status()).toBe(404)
    await shows(page, 'There is no page at this address')
    const timing = (await missing?.allHeaders())?.['server-timing'] ?? ''
    const [code = 'none'] = /[0-9a-f]{8}/.exec(timing) ?? []
    await page.getByText(code, { exact: true }).waitFor()
    await inspect(page, 'missing-page')
    await page.goto(`${site.broker.url}/customer/${crypto.randomUUID()}`)
    await shows(page, 'This link does not open an application')
    await page.getByText('Check that the whole link was copied.').waitFor()
    await inspect(page, 'refused-link')
    expect(await page.getByRole('link', { name: 'Go to the start' }).count()).toBe(0)
    await page.goto(`${site.broker.url}/customers/sarah`)
    await page.getByRole('link', { name: 'Go to the start' }).click()
    await page.getByRole('button', { name: 'Start as the installer' }).waitFor()
  },
)
