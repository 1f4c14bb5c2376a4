import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'
import { noChromium } from './chromium.fixture.ts'
import { isInView, say, settled } from './customer-page.fixture.ts'
import { CARDS, press, shows } from './journey-steps.fixture.ts'

const site = brokerSite()

test.skipIf(noChromium)(
  '[surfaces 14] on a phone the card that follows an answer takes the focus and is in view with what the assistant says',
  async () => {
    const { page } = await openAtCard(site, 0)
    for (const [at, [heading, act]] of CARDS.entries()) {
      await shows(page, heading)
      if (at > 0) {
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.textContent))
          .toBe(heading)
        await settled(page)
        // It comes into view with the next frame, which a busy machine draws late.
        for (const part of ['[data-card-heading]', '[role=log] > div']) {
          await expect.poll(() => isInView(page, part), { message: heading }).toBe(true)
        }
      }
      await act(page)
    }
    await shows(page, 'This application is finished')
  },
)

test.skipIf(noChromium)(
  '[surfaces 8] what comes is shown to who reads at the end and announced to who has scrolled away',
  async () => {
    const { page, journey } = await openAtCard(site, 4)
    await say(page, 'How long does it take?')
    await page.getByRole('log').getByText('Most people need a few minutes').waitFor()
    await settled(page)
    expect(await isInView(page, '[role=log] > div')).toBe(true)
    await page.mouse.move(180, 300)
    await page.mouse.wheel(0, -1_500)
    await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(200)
    const before = await page.evaluate(() => scrollY)
    await journey.say('customer', 'Do I pay a fee?')
    const button = page.getByRole('button', { name: 'New messages' })
    await button.waitFor()
    expect(await page.evaluate(() => scrollY)).toBe(before)
    expect(await isInView(page, '[role=log] > div')).toBe(false)
    await button.click()
    await expect.poll(() => isInView(page, '[role=log] > div')).toBe(true)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(
      'You pay us no',
    )
    await expect.poll(() => button.count()).toBe(0)
  },
)

test.skipIf(noChromium)(
  '[surfaces 11] a card that is opened again shows its top, and so does the one that stands there after it',
  async () => {
    const { page } = await openAtCard(site, 5)
    const isShown = async (heading: string): Promise<void> => {
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent))
        .toBe(heading)
      expect([heading, await isInView(page, '[data-card-heading]')]).toEqual([heading, true])
    }
    await press(page, 'Change Your details')
    await isShown('Your details')
    await press(page, 'Cancel')
    await isShown('Would any support help?')
    await press(page, 'Change Quote')
    await isShown('Choose how long to repay')
    await press(page, 'Use this quote')
    await isShown('Would any support help?')
  },
)

/** Goes on with Tab until the control of this name has the focus, which shows on every stop. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(() => {
      const focused = document.activeElement
      const label = focused instanceof HTMLInputElement ? focused.labels?.[0] : undefined
      const isSeen = focused?.matches(':focus-visible') && getComputedStyle(focused).outlineStyle
      return { name: (label ?? focused)?.textContent?.trim(), isSeen }
    })
    expect([name, at.name, at.isSeen]).toEqual([name, at.name, 'solid'])
    if (at.name === name) return
  }
  throw new Error(`Cannot reach '${name}' with Tab`)
}

async function enterDetails(page: Page): Promise<void> {
  const fields = [
    ['Full name', 'Sarah Jones'],
    ['Day', '2'],
    ['Month', '3'],
    ['Year', '1984'],
    ['Postcode', 'SW1A 1AA'],
    ['Address line 1', '1 High Street'],
    ['Town or city', 'London'],
  ] as const
  for (const [name, value] of fields) {
    await tabTo(page, name)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(value)
  }
  for (let stops = 0; stops < 4; stops++) await page.keyboard.press('Tab')
  await page.keyboard.type('Empl')
  for (const [name, value] of [
    ['Yearly income before tax, in pounds', '42000'],
    ['Monthly outgoings, in pounds', '1400'],
  ] as const) {
    await tabTo(page, name)
    await page.keyboard.type(value)
  }
}

test.skipIf(noChromium)(
  '[surfaces 14] the whole journey with the keyboard alone, from the heading of each card on',
  async () => {
    const { page } = await openAtCard(site, 0)
    const use = async (name: string, key = 'Enter'): Promise<void> => {
      await tabTo(page, name)
      await page.keyboard.press(key)
    }
    const next = async (heading: string): Promise<void> => {
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent))
        .toBe(heading)
      await settled(page)
    }
    await use('I understand')
    await next('Can you apply?')
    for (let question = 0; question < 4; question++) await use('Yes', 'Space')
    await use('Continue')
    await next('Choose how long to repay')
    await use('84 months', 'Space')
    await page.keyboard.press('ArrowDown')
    await use('Use this quote')
    await next('Do you want a copy by email?')
    await use('No, thank you')
    await next('Your details')
    await enterDetails(page)
    await use('Check your answers')
    await next('Check your answers')
    await use('Record these details')
    await next('Would any support help?')
    await use('None of these')
    await next('Credit search consent')
    await use('Grant consent')
    await next('Pre-contract summary')
    await use('I confirm')
    await next('You have an offer')
    await use('Accept this offer')
    await shows(page, 'This application is finished')
  },
)

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

test.skipIf(noChromium)(
  '[surfaces 4] [surfaces 11] the pre-contract summary shows the chosen quote and every answer that is sent, and Change leads to the field and back',
  async () => {
    const { page, journey } = await openAtCard(site, 7)
    const shown = async (name: string, values: readonly string[]): Promise<void> => {
      const part = page.getByRole('region', { name, exact: true })
      for (const value of values) await part.getByText(value, { exact: true }).first().waitFor()
    }
    await shown('The indicative quote that you chose', QUOTED)
    await shown('Your answers', SENT)
    await press(page, 'Change Monthly outgoings, in pounds')
    const field = page.getByLabel('Monthly outgoings, in pounds')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.id))
      .toBe('monthlyOutgoings')
    expect(await isInView(page, '#monthlyOutgoings')).toBe(true)
    await field.fill('1500')
    await press(page, 'Cancel')
    await press(page, 'Change Monthly outgoings, in pounds')
    expect(await field.inputValue()).toBe('1400')
    await field.fill('1500')
    await press(page, 'Check your answers')
    await press(page, 'Record these details')
    await shows(page, 'Pre-contract summary')
    await shown('Your answers', ['£1,500'])
    expect(await journey.state()).toMatchObject({ financial: { monthlyOutgoings: 1_500 } })
  },
)

const QUOTED = ['£17,500', '£1,750', '£15,750', '120 months', '9.15%', '£197.71', '£23,725.20']

const SENT = [
  'Are you 18 or over?',
  'Sarah Jones',
  '2 March 1984',
  '1 High Street, London, SW1A 1AA',
  'Terraced',
  'Owned with a mortgage',
  'Employed',
  '£42,000',
  '£1,400',
  'Support needs',
]

test.skipIf(noChromium)(
  '[surfaces 10] [surfaces 12] what is mended is not red any more, and what is ticked outlives a reload',
  async () => {
    const { page } = await openAtCard(site, 1)
    const first = page.getByRole('radio', { name: 'Yes' }).first()
    const named = page.getByRole('alert').getByRole('link')
    await press(page, 'Continue')
    await expect.poll(() => named.count()).toBe(4)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('alert')
    await first.check()
    expect(await named.count()).toBe(3)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('isOver18')
    expect(await page.locator('#isOver18-error').count()).toBe(0)
    await press(page, 'Continue')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')))
      .toBe('alert')
    await page.reload()
    await shows(page, 'Can you apply?')
    expect(await first.isChecked()).toBe(true)
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(1)
  },
)
