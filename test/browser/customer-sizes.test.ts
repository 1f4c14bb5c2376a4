import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fullTest } from '../tier.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'
import { PHONE, look, noChromium } from './chromium.fixture.ts'
import { askLine, composer, isInView, openTalk, settled } from './customer-page.fixture.ts'
import { CARDS, press, shows } from './journey-steps.fixture.ts'

const site = brokerSite()

const enlargeText = (page: Page) =>
  page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%', 'important'))

test.skipIf(noChromium)(
  '[surfaces 16] at 320 pixels and with text at 200 per cent nothing runs out of the pages to the side',
  async () => {
    const { page, journey, context } = await openAtCard(site, 7)
    const tablet = await context.newPage()
    const { sessionId, tokens } = journey
    await tablet.goto(`${site.broker.url}/installer/${sessionId}#token=${tokens.installer}`)
    await tablet.getByText('Status:').waitFor()
    for (const [each, width, height] of [
      [page, 320, 640],
      [page, 360, 780],
      [tablet, 360, 780],
      [tablet, 768, 1_024],
    ] as const) {
      await each.setViewportSize({ width, height })
      if (width !== 320) await enlargeText(each)
      const over = await each.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect([width, over]).toEqual([width, 0])
    }
    const box = await tablet.getByRole('textbox', { name: 'Message' }).boundingBox()
    expect(box?.width).toBeGreaterThan(300)
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 16] at 320 pixels the header scrolls away, with large text the bar too',
  async () => {
    const { page } = await openAtCard(site, 8)
    const measured = () =>
      page.evaluate(() => {
        const [header, bar] = ['header', 'main + div'].map((each) => document.querySelector(each))
        const isSticky = (each: Element | null | undefined) =>
          each instanceof Element && getComputedStyle(each).position === 'sticky'
        return {
          header: isSticky(header),
          bar: isSticky(bar),
          points: document.querySelectorAll('header [aria-hidden=true] > span').length,
        }
      })
    expect(await measured()).toEqual({ header: true, bar: true, points: 8 })
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await measured()).toMatchObject({ header: false, bar: true })
    await page.setViewportSize({ width: 360, height: 640 })
    await enlargeText(page)
    expect(await measured()).toMatchObject({ header: false, bar: false })
    const tag = page.getByText('Same as your estimate', { exact: true })
    const panel = page.getByRole('region').filter({ has: tag })
    const [inner, outer] = [await tag.boundingBox(), await panel.boundingBox()]
    const ends = [inner, outer].map((box) => (box?.x ?? 0) + (box?.width ?? 0))
    expect(ends[0]).toBeLessThan(ends[1] ?? 0)
    await look(page, 'offer-large-text')
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 16] with text at 200 per cent the parts of the header stay apart, and no card cuts its buttons off',
  async () => {
    const { page } = await openAtCard(site, 0)
    for (const [heading, act] of CARDS) {
      await shows(page, heading)
      await settled(page)
      await enlargeText(page)
      for (const width of [360, 320]) {
        await page.setViewportSize({ width, height: 640 })
        expect([heading, width, await coveredParts(page)]).toEqual([heading, width, []])
      }
      await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
      await page.setViewportSize(PHONE)
      await act(page)
    }
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 16] with text at 200 per cent both columns of a counter-offer are in view, and the message has room',
  async () => {
    const { page } = await openAtCard(site, 7, 'counter')
    await press(page, 'Confirm and send')
    await shows(page, 'Meridian Bank offers different terms')
    await settled(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await enlargeText(page)
    const table = page.getByRole('region').filter({ has: page.getByRole('table') })
    expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
    await openTalk(page)
    expect((await composer(page).boundingBox())?.width).toBeGreaterThan(200)
  },
)

/** The parts of the header that lie on others, and the buttons of the card that cannot be seen whole. */
function coveredParts(page: Page): Promise<readonly (string | undefined)[]> {
  return page.evaluate(() => {
    const row = document.querySelector('header > div')
    const boxes = [...(row?.children ?? [])].flatMap((part) => {
      const content = part.matches('button') ? part : (part.firstElementChild ?? part)
      const { left, right } = content.getBoundingClientRect()
      return right > left ? [{ name: content.textContent, left, right }] : []
    })
    const overlaps = boxes.filter(({ left }, at) => left < (boxes[at - 1]?.right ?? 0) - 1)
    const hidden = [...document.querySelectorAll('main + div button')].filter((button) => {
      button.scrollIntoView({ block: 'end' })
      const { left, top, right, bottom } = button.getBoundingClientRect()
      // A line of 3 pixels on the bar shows how far the page is read.
      return [top + 6, bottom - 6].some((y) => {
        const seen = document.elementFromPoint((left + right) / 2, y)
        return !(seen && button.contains(seen))
      })
    })
    return [...overlaps.map(({ name }) => name), ...hidden.map((button) => button.textContent)].map(
      (name) => name ?? undefined,
    )
  })
}

/** Half the page is what a phone's keyboard leaves of it. */
const HALF = { width: 360, height: 390 }

fullTest.skipIf(noChromium)(
  '[surfaces 16] with the keyboard over half the page the field and the button are in view, and so is the composer',
  async () => {
    const { page } = await openAtCard(site, 4)
    await page.getByLabel('Full name').focus()
    await page.setViewportSize(HALF)
    await page.getByLabel('Full name').scrollIntoViewIfNeeded()
    expect(await isInView(page, '#fullName')).toBe(true)
    expect(await askLine(page).count()).toBe(0)
    await expect(
      page.getByRole('button', { name: 'Continue', exact: true }).boundingBox(),
    ).resolves.toMatchObject({ y: expect.toSatisfy((y: number) => y < HALF.height - 40) })
    await page.setViewportSize({ width: 360, height: 780 })
    await openTalk(page)
    await composer(page).focus()
    await page.setViewportSize(HALF)
    await expect.poll(() => isInView(page, 'dialog[open] textarea')).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  },
)

/** As long as a name may be, in scripts that break at other places or nowhere. */
const LONG_NAMES = ['Å', 'ض', 'ก', '黑', 'A'].map((letter) => letter.repeat(120))

fullTest.skipIf(noChromium)(
  '[surfaces 16] a name of 120 letters in any script stays within the page at 320 pixels',
  async () => {
    const { page } = await openAtCard(site, 7)
    await page.setViewportSize({ width: 320, height: 640 })
    const beyond = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
    for (const name of LONG_NAMES) {
      await press(page, 'Change You')
      await page.getByLabel('Full name').fill(name)
      await page.locator('form button[type=submit]').click()
      await page.getByRole('main').getByText(name).waitFor()
      expect([name, await beyond()]).toEqual([name, 0])
      await press(page, 'These are right. Save them')
      await shows(page, 'Check this before we send it')
      await page.getByRole('main').getByText(name).first().waitFor()
      await settled(page)
      expect([name, await beyond()]).toEqual([name, 0])
    }
  },
)
