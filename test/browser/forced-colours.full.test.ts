import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'
import { noChromium } from './chromium.fixture.ts'
import { settled } from './customer-page.fixture.ts'
import { CARDS, FINISHED, checkAccessible, shows } from './journey-steps.fixture.ts'

const site = brokerSite()

/** Letters change the colour along a line more often than the edges of a box do. */
const CHANGES_MIN = 8

/** Whether a picture of the element shows letters, and not only a box of their colour. */
async function showsLetters(page: Page, element: Locator): Promise<boolean> {
  const picture = (await element.screenshot()).toString('base64')
  const changes = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0)
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    canvas?.drawImage(bitmap, 0, 0)
    const { data = [] } = canvas?.getImageData(0, 0, bitmap.width, bitmap.height) ?? {}
    const colours = new Uint32Array(Uint8ClampedArray.from(data).buffer)
    const changesIn = (line: number): number => {
      const pixels = colours.subarray(line * bitmap.width, (line + 1) * bitmap.width)
      return pixels.filter((colour, at) => at > 0 && colour !== pixels[at - 1]).length
    }
    return Math.max(...Array.from({ length: bitmap.height }, (_, line) => changesIn(line)))
  }, picture)
  return changes >= CHANGES_MIN
}

test.skipIf(noChromium)(
  '[surfaces 17] in forced colours every card of the journey is accessible and every button shows its words and its edge',
  async () => {
    const { page, faults } = await openAtCard(site, 0)
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
    const check = async (name: string): Promise<void> => {
      await shows(page, name)
      await settled(page)
      await checkAccessible(page, `${name}, forced colours`)
      const buttons = page.locator('main ~ div button').filter({ visible: true })
      for (const button of await buttons.all()) {
        const words = await button.textContent()
        const label = button.locator('span').first()
        const shown = (await label.count()) > 0 ? label : button
        expect([name, words, await showsLetters(page, shown)]).toEqual([name, words, true])
      }
      const flat = await page.evaluate(() =>
        [...document.querySelectorAll('main ~ div > div:last-child button')]
          .filter((button) => getComputedStyle(button).borderTopStyle === 'none')
          .map(({ textContent }) => textContent),
      )
      expect([name, flat]).toEqual([name, []])
    }
    for (const [heading, act] of CARDS) {
      await check(heading)
      await act(page)
    }
    await check(FINISHED)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[surfaces 17] in forced colours the chosen length and the chosen answers have an outline, the others have none',
  async () => {
    const { page } = await openAtCard(site, 2)
    await page.emulateMedia({ forcedColors: 'active' })
    await page.getByRole('radio', { name: '10 years' }).check()
    const outlines = await page.evaluate(() =>
      [...document.querySelectorAll('label:has(input[type=radio])')].map((label) => [
        label.querySelector('input')?.checked,
        getComputedStyle(label).outlineStyle,
      ]),
    )
    expect(outlines.length).toBeGreaterThan(2)
    expect(outlines.filter(([checked]) => checked)).toEqual([[true, 'solid']])
    expect(outlines.filter(([checked, style]) => !checked && style !== 'none')).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[surfaces 17] where motion is reduced, nothing on a card, in the menu or in a sheet moves but a slow spinner',
  async () => {
    const { page } = await openAtCard(site, 0)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const moving = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('*')]
          .flatMap((element) =>
            [null, '::before', '::after', '::backdrop'].map((part) =>
              getComputedStyle(element, part),
            ),
          )
          .filter(({ animationTimeline }) => !animationTimeline.startsWith('scroll'))
          .map(({ transitionDuration, animationDuration }) => [
            transitionDuration,
            animationDuration,
          ])
          .filter(([change = '', run = '']) => /[1-9]/.test(change) || /[1-9]/.test(run))
          .filter(([, run]) => run !== '4s'),
      )
    for (const [heading, act] of CARDS) {
      await shows(page, heading)
      await settled(page)
      expect([heading, await moving()]).toEqual([heading, []])
      await act(page)
    }
    await shows(page, FINISHED)
    await page.getByRole('button', { name: 'Help', exact: true }).click()
    expect(await moving()).toEqual([])
  },
)
