import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { timesInTier } from '../tier.fixture.ts'
import { sharedChromium, noChromium, openPage } from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'
import { serveThreads } from './threads-server.fixture.ts'

export const DESK = { width: 1280, height: 900 }
export const PHONE = { width: 360, height: 780 }

/** A browser and a server for the tests of one file. */
export function threadsPage() {
  let browser: Browser
  let server: Awaited<ReturnType<typeof serveThreads>>
  beforeAll(async () => {
    if (noChromium) return
    browser = await sharedChromium()
    server = await serveThreads()
  })
  afterAll(async () => {
    if (noChromium) return
    await server.close()
  })
  return {
    server: () => server,
    /** Opens a thread with everything shown, or as an address without a depth shows it. */
    open: async (thread: string, viewport = DESK, query = '?depth=all') => {
      const opened = await openPage(browser, viewport)
      await opened.page.goto(`${server.url}/threads/${thread}${query}`)
      await opened.page.getByRole('textbox', { name: 'Message' }).waitFor()
      return opened
    },
  }
}

export async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}

export const runOf = (within: Page | Locator, agent: string) =>
  within.getByRole('article', { name: agent, exact: true })
export const headOf = (run: Locator) => run.locator('header').first()
export const idle = (page: Page) => page.getByText('Nothing runs').waitFor()
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click()
export const said = (page: Page, text: string) =>
  page.getByRole('main').getByText(text, { exact: true })
export const disclosure = (within: Locator, name: string) =>
  within.locator('summary').filter({ hasText: name }).first()
export const announced = (page: Page) => page.getByRole('log').textContent()
export const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName)

const SCHEMES = ['light', 'dark'] as const

/** In every run the first size in light and the second in dark, in the full tier each in both. */
export async function checkLooks(
  page: Page,
  name: string,
  viewports: readonly (typeof DESK)[] = [PHONE, DESK],
): Promise<void> {
  for (const [at, viewport] of viewports.entries()) {
    await page.setViewportSize(viewport)
    const first = timesInTier({ quick: at, full: 0 })
    for (const colorScheme of SCHEMES.slice(first, first + timesInTier({ quick: 1, full: 2 }))) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await checkAccessible(page, `${name}, ${viewport.width}, ${colorScheme}`)
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([name, wide]).toEqual([name, 0])
  }
}
