import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fullTest, timesInTier } from '../tier.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { PHONE, TABLET, look, noChromium, openPage } from './chromium.fixture.ts'
import { checkAccessible, press, shows } from './journey-steps.fixture.ts'

const site = brokerSite()

const WIDE = { width: 1280, height: 900 }

async function openComponents(viewport = PHONE, query = '') {
  const opened = await openPage(site.browser, viewport)
  await opened.page.goto(`${site.broker.url}/components${query}`)
  await shows(opened.page, 'Checklist and approval')
  await opened.page.evaluate(async () => {
    await document.fonts.ready
  })
  return opened
}

const beyondTheSide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

/** Every run looks at the compact density, whose controls are the smallest, the full tier at both. */
const DENSITIES = ['compact', 'comfortable'].slice(0, timesInTier({ quick: 1, full: 2 }))

test
  .skipIf(noChromium)
  .each((['dark', 'light'] as const).slice(0, timesInTier({ quick: 1, full: 2 })))(
  'axe finds nothing wrong with any component in a %s scheme',
  async (colorScheme) => {
    const { page, faults } = await openComponents(TABLET)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const density of DENSITIES) {
      await page.getByRole('radio', { name: density }).check()
      await checkAccessible(page, `components, ${colorScheme}, ${density}`)
      await look(page, `components-${colorScheme}-${density}`)
    }
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  'the switch shows the dark scheme whatever the system asks for',
  async () => {
    const { page } = await openComponents(WIDE, '?scheme=dark&contrast=forced')
    const colour = (name: string) =>
      page.evaluate((of) => getComputedStyle(document.documentElement).getPropertyValue(of), name)
    expect(await colour('--accent')).toBe('CanvasText')
    await page
      .getByRole('group', { name: 'Forced colours' })
      .getByRole('radio', { name: 'as the system' })
      .check()
    expect(await colour('--paper')).toBe('#0e1412')
    await page
      .getByRole('group', { name: 'Colours', exact: true })
      .getByRole('radio', { name: 'light' })
      .check()
    expect(await colour('--paper')).toBe('#f6f4ee')
    expect(new URL(page.url()).search).toBe('?scheme=light')
  },
)

/** Controls that are lower than a height, but for links within lines of text. */
const lowControls = (page: Page, least: number) =>
  page.evaluate((height) => {
    return [...document.querySelectorAll('button, input, select, textarea, summary')]
      .map((control) => [control.textContent, control.getBoundingClientRect().height] as const)
      .filter(([, high]) => high > 0 && high < height)
  }, least)

fullTest.skipIf(noChromium)(
  'every control is at least 52 pixels high, and 32 where the page is compact',
  async () => {
    const { page } = await openComponents()
    expect(await lowControls(page, 52)).toEqual([])
    await page.getByRole('radio', { name: 'compact' }).check()
    expect(await lowControls(page, 32)).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  'whatever takes the focus from the keyboard has a ring of 3 pixels',
  async () => {
    const { page } = await openComponents(WIDE)
    // The error summary takes the focus first: the walk begins at the top of the page.
    await page.getByRole('link', { name: 'Throughline' }).focus()
    const without: (string | null)[] = []
    let stops = 0
    for (; stops < 100; stops++) {
      await page.keyboard.press('Tab')
      const stop = await page.evaluate(() => {
        const focused = document.activeElement
        if (!focused || focused === document.body) return undefined
        const { outlineStyle, outlineWidth } = getComputedStyle(focused)
        return { html: focused.outerHTML, ring: `${outlineStyle} ${outlineWidth}` }
      })
      if (!stop) break
      if (stop.ring !== 'solid 3px') without.push(stop.html)
    }
    expect(stops).toBeGreaterThan(30)
    expect(without).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  'where motion is reduced, nothing moves but a slow spinner',
  async () => {
    const { page } = await openComponents()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .flatMap((element) =>
          [null, '::before', '::after'].map((part) => getComputedStyle(element, part)),
        )
        .filter(
          (style) =>
            /[1-9]/.test(style.transitionDuration) || /[1-9]/.test(style.animationDuration),
        )
        .map((style) => [
          style.transitionDuration,
          style.animationDuration,
          style.animationTimeline,
        ]),
    )
    expect(moving.filter(([, , timeline]) => !timeline?.startsWith('scroll'))).toEqual([
      ['0s', '4s', 'auto'],
      ['0s', '4s', 'auto'],
    ])
  },
)

fullTest.skipIf(noChromium)(
  'in forced colours cards have an edge, marks have the text colour, and chosen answers have an outline',
  async () => {
    const { page } = await openComponents(TABLET)
    await page.emulateMedia({ forcedColors: 'active' })
    const seen = await page.evaluate(() => {
      const text = getComputedStyle(document.body).color
      const styleOf = (selector: string) => {
        const element = document.querySelector(selector)
        if (!element) throw new Error(`Cannot find ${selector}`)
        return getComputedStyle(element)
      }
      return {
        edge: styleOf('main > section').borderTopColor === text,
        mark: styleOf('main svg[viewBox="0 0 12 12"]').fill === text,
        chosen: styleOf('label:has(:checked)').outlineStyle,
        open: styleOf('label:has(input:not(:checked))').outlineStyle,
      }
    })
    expect(seen).toEqual({ edge: true, mark: true, chosen: 'solid', open: 'none' })
    await look(page, 'components-forced-colours')
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 16] at 320 pixels and with text at 200 per cent no component runs out to the side',
  async () => {
    const { page } = await openComponents({ width: 320, height: 640 })
    expect(await beyondTheSide(page)).toBe(0)
    await page.evaluate(() =>
      document.documentElement.style.setProperty('font-size', '200%', 'important'),
    )
    expect(await beyondTheSide(page)).toBe(0)
    const cut = await page.evaluate(
      () =>
        [...document.querySelectorAll('main > section')].filter(
          (section) => section.scrollWidth > section.clientWidth,
        ).length,
    )
    expect(cut).toBe(0)
  },
)

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

fullTest.skipIf(noChromium)(
  'a sheet keeps the focus, gives it back, and closes with Escape, Close and Back',
  async () => {
    const { page } = await openComponents(PHONE, '#seed=abc')
    const dialog = page.getByRole('dialog', { name: 'Ask' })
    const ways = [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => page.goBack(),
      () => page.mouse.click(10, 10),
    ]
    for (const leave of ways) {
      await page.getByRole('button', { name: 'Ask a question' }).focus()
      await page.keyboard.press('Enter')
      await dialog.waitFor()
      expect(new URL(page.url()).hash).toBe('#seed=abc&ask')
      for (let tab = 0; tab < 5; tab++) {
        await page.keyboard.press('Tab')
        const outside = await page.evaluate(() => {
          const focused = document.activeElement
          return focused !== document.body && !focused?.closest('dialog')
        })
        expect(outside).toBe(false)
      }
      await leave()
      await dialog.waitFor({ state: 'hidden' })
      await expect.poll(() => new URL(page.url()).hash).toBe('#seed=abc')
      expect(await focusedText(page)).toBe('Ask a question')
    }
    await press(page, 'Ask a question')
    await page.reload()
    await dialog.waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'hidden' })
    expect(new URL(page.url()).pathname).toBe('/components')
  },
)

fullTest.skipIf(noChromium)('a menu closes with Escape and gives the focus back', async () => {
  const { page } = await openComponents()
  await page.getByRole('button', { name: 'Help' }).focus()
  await page.keyboard.press('Enter')
  const choice = page.getByRole('button', { name: 'Withdraw Before you decide' })
  await choice.waitFor()
  await checkAccessible(page, 'menu')
  await page.keyboard.press('Escape')
  await choice.waitFor({ state: 'hidden' })
  expect(await focusedText(page)).toContain('Help')
})

fullTest.skipIf(noChromium)('a waiting button is as wide as before and does nothing', async () => {
  const { page } = await openComponents(WIDE)
  const [ready, waiting] = await page.getByRole('button', { name: 'Continue' }).all()
  const widths = [await ready?.boundingBox(), await waiting?.boundingBox()].map((box) => box?.width)
  expect(widths[0]).toBe(widths[1])
  expect(await waiting?.getAttribute('aria-busy')).toBe('true')
  const blocked = page.getByRole('button', { name: 'Continue when you are online' })
  expect(await blocked.getAttribute('aria-disabled')).toBe('true')
  await blocked.focus()
  expect(await focusedText(page)).toContain('when you are online')
})

fullTest.skipIf(noChromium)(
  'a Copy button keeps its name, and a status beside it says that the text was copied',
  async () => {
    const { page, context } = await openComponents()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const button = page.getByRole('button', { name: 'Copy the reference', exact: true })
    const status = button.locator('xpath=following-sibling::*[@role="status"]')
    expect(await status.textContent()).toBe('')
    await button.click()
    await expect.poll(() => status.textContent()).toBe('Copied')
    expect(await button.count()).toBe(1)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('TH-4711')
  },
)

fullTest.skipIf(noChromium)('the strip shows for as long as the browser is offline', async () => {
  const { page, context } = await openComponents()
  const strips = page.getByText('You are offline. What you typed is safe on this device.')
  expect(await strips.count()).toBe(1)
  await context.setOffline(true)
  await expect.poll(() => strips.count()).toBe(2)
  await context.setOffline(false)
  await expect.poll(() => strips.count()).toBe(1)
})

fullTest.skipIf(noChromium)(
  'the font comes from the page’s own server, and names load its second file',
  async () => {
    const { page } = await openComponents()
    const loaded = await page.evaluate(
      () =>
        [...document.fonts].filter(
          ({ family, status }) => family.replaceAll('"', '') === 'Figtree' && status === 'loaded',
        ).length,
    )
    expect(loaded).toBe(2)
  },
)
