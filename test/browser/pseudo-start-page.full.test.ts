import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../src/models/index.ts'
import { sharedChromium, noChromium, openPage } from './chromium.fixture.ts'
import { servePages } from './pages-server.fixture.ts'
import { hardCoded, misplaced } from './pseudo-check.fixture.ts'
import { buildPseudoPages } from './pseudo-pages.fixture.ts'

const SMALL = { width: 320, height: 640 }

/** The names of the brands stay, in every language. */
const NAMES = ['Throughline', 'Clearpath']

async function see(page: Page, name: string, given: readonly string[] = []): Promise<void> {
  expect([name, await hardCoded(page, new Set([...NAMES, ...given]))]).toEqual([name, []])
  for (const width of [SMALL.width, 360]) {
    await page.setViewportSize({ width, height: SMALL.height })
    for (const dir of ['ltr', 'rtl']) {
      await page.evaluate((to) => document.documentElement.setAttribute('dir', to), dir)
      expect([name, dir, width, await misplaced(page)]).toEqual([name, dir, width, []])
    }
  }
}

test.skipIf(noChromium)(
  '[surfaces 16] [surfaces 18] the start page has only text from its words, fits at 320 pixels with 40 % longer words, and works in both directions',
  async () => {
    const pages = buildPseudoPages(
      ['', 'demonstration/', 'missing/'].map((part) => `home/${part}index.html`),
    )
    const browser = await sharedChromium()
    const folder = await pages
    const server = await servePages({ model: scriptedModel(() => ''), folder })
    const { page, faults } = await openPage(browser, SMALL)
    await page.goto(server.url)
    await page.locator('summary').click()
    await page.locator('footer svg').waitFor()
    await see(page, 'start-page')
    await page.locator('form button').click()
    const started = page.locator('main li li').first()
    await started.waitFor()
    // A date as the other locale writes it.
    expect(await started.textContent()).toMatch(/\b\d\d?\.\d\d?\.\d{4}/)
    expect(await page.locator('form').count()).toBe(0)
    await see(page, 'start-page-started')
    await page.keyboard.press('Control+k')
    await page.locator('dialog [role=option]').first().waitFor()
    await see(page, 'palette')
    await page.keyboard.type('zzz')
    await page.locator('dialog [role=listbox]').waitFor({ state: 'detached' })
    await see(page, 'palette-empty')
    await page.keyboard.press('Escape')
    await page.goto(`${server.url}/demonstration/x`)
    await page.locator('iframe').first().waitFor()
    await see(page, 'demonstration')
    const missing = await page.goto(`${server.url}/nowhere`)
    await page.locator('h1').waitFor()
    const [code = ''] = /[0-9a-f]{8}/.exec(missing?.headers()['server-timing'] ?? '') ?? []
    await see(page, 'missing', [code])
    expect(faults).toEqual([])
    await server.close()
    await rm(folder, { recursive: true })
  },
)
