import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'
import { noChromium } from './chromium.fixture.ts'
import { settled } from './customer-page.fixture.ts'
import {
  CARDS,
  FINISHED,
  checkAccessible,
  checkInEachScheme,
  shows,
} from './journey-steps.fixture.ts'

const site = brokerSite()

/** Cards whose errors are checked too. */
const WITH_ERRORS = ['Can you apply?', 'About you', 'Would any support help you?']

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

async function checkForcedColours(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
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
  await page.emulateMedia({ forcedColors: 'none' })
}

/** The durations of what moves on a page that holds still, but for a slow spinner. */
const moving = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .flatMap((element) =>
        [null, '::before', '::after', '::backdrop'].map((part) => getComputedStyle(element, part)),
      )
      .filter(({ animationTimeline }) => !animationTimeline.startsWith('scroll'))
      .map(({ transitionDuration, animationDuration }) => [transitionDuration, animationDuration])
      .filter(([change = '', run = '']) => /[1-9]/.test(change) || /[1-9]/.test(run))
      .filter(([, run]) => run !== '4s'),
  )

test.skipIf(noChromium)(
  '[surfaces 13] [surfaces 17] every card on the way to the offer is accessible in each scheme and in forced colours, with its errors too, and nothing on it or in the menu moves where motion is reduced',
  async () => {
    const { page, faults } = await openAtCard(site, 0)
    const check = async (name: string): Promise<void> => {
      await shows(page, name)
      await settled(page)
      await checkInEachScheme(page, name)
      expect([name, await moving(page)]).toEqual([name, []])
      await checkForcedColours(page, name)
    }
    for (const [heading, act] of CARDS) {
      await check(heading)
      if (WITH_ERRORS.includes(heading)) {
        await page.locator('button[type=submit]').last().click()
        await page.getByRole('alert').waitFor()
        await checkInEachScheme(page, `${heading} with errors`)
      }
      await act(page)
    }
    await check(FINISHED)
    await page.getByRole('button', { name: 'Help', exact: true }).click()
    expect(await moving(page)).toEqual([])
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
