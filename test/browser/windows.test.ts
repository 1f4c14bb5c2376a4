import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { noChromium, openPage, sharedChromium } from './chromium.fixture.ts'
import { DESK, ask, said } from './threads-page.fixture.ts'
import { serveThreads } from './threads-server.fixture.ts'

/** Three more than a browser has connections for. */
const WINDOWS = 9

let browser: Browser
let server: Awaited<ReturnType<typeof serveThreads>>
beforeAll(async () => {
  if (noChromium) return
  browser = await sharedChromium()
  server = await serveThreads()
})
afterAll(async () => {
  if (!noChromium) await server.close()
})

test.skipIf(noChromium)(
  'nine windows of one person stay live over HTTP/1.1, and their requests are answered',
  async () => {
    const { context } = await openPage(browser, DESK)
    const pages = await Promise.all(
      Array.from({ length: WINDOWS }, async (_, at) => {
        const page = await context.newPage()
        await server.ask(`window-${at}`, 'echo', 'begin')
        await page.goto(`${server.url}/threads/window-${at}`)
        await page.getByRole('textbox', { name: 'Message' }).waitFor()
        return page
      }),
    )
    expect(await pages[0]?.evaluate(() => document.visibilityState)).toBe('visible')
    await Promise.all(pages.map((page) => page.getByText('begin').first().waitFor()))
    // From elsewhere: each window learns of it.
    await Promise.all(pages.map((_, at) => server.ask(`window-${at}`, 'echo', `news ${at}`)))
    await Promise.all(pages.map((page, at) => page.getByText(`news ${at}`).first().waitFor()))
    // From each window itself: its request is not held up, and its answer shows.
    for (const [at, page] of pages.entries()) {
      await ask(page, `words of ${at}`)
      await said(page, `words of ${at}`).first().waitFor({ timeout: 5_000 })
    }
  },
)

test.skipIf(noChromium)(
  'the console stays empty for a thread that is still to begin, and its first prompt shows at once',
  async () => {
    const { page } = await openPage(browser, DESK)
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    await page.goto(`${server.url}/threads/begins-later`)
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    await page.waitForTimeout(4_000)
    await ask(page, 'hello')
    await said(page, 'hello').first().waitFor({ timeout: 1_000 })
    expect(errors).toEqual([])
  },
)
