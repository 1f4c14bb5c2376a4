import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fullTest } from '../tier.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'
import { noChromium } from './chromium.fixture.ts'
import { ask, askLine, chooseHelp, isInView, settled } from './customer-page.fixture.ts'
import { CARDS, FINISHED, press, shows } from './journey-steps.fixture.ts'

const site = brokerSite()

const focusedText = (page: Page) =>
  page.evaluate(() => document.querySelector(':focus')?.textContent)

test.skipIf(noChromium)(
  '[surfaces 14] on a phone the card that follows an answer takes the focus and is in view with what the assistant says',
  async () => {
    const { page } = await openAtCard(site, 0)
    for (const [at, [heading, act]] of CARDS.entries()) {
      await shows(page, heading)
      if (at > 0) {
        await expect.poll(() => focusedText(page)).toContain(heading)
        await settled(page)
        // The scroll happens in the next frame, which a busy machine draws late.
        await expect
          .poll(() => isInView(page, '[data-card-heading]'), { message: heading })
          .toBe(true)
        const box = await askLine(page).boundingBox()
        expect([heading, (box?.y ?? 0) > 400 && (box?.height ?? 0) > 40]).toEqual([heading, true])
      }
      await act(page)
    }
    await shows(page, FINISHED)
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 8] a reader at the end sees new messages, a reader further up gets a notice',
  async () => {
    const { page, journey } = await openAtCard(site, 4)
    const last = '[role=log] > div'
    for (const question of ['Is this a loan?', 'What happens to my data?', 'Can I repay early?']) {
      await ask(page, question)
      await settled(page)
    }
    await ask(page, 'How long does it take?')
    await page.getByRole('log').getByText('Most people need a few minutes').waitFor()
    await settled(page)
    await expect.poll(() => isInView(page, last)).toBe(true)
    const top = () =>
      page.getByRole('log').evaluate((log) => {
        const above = (each: Element | null): Element | null =>
          each && getComputedStyle(each).overflowY !== 'auto' ? above(each.parentElement) : each
        return above(log)?.scrollTop
      })
    await page.getByRole('heading', { name: 'Ask a question' }).hover()
    await page.mouse.move(180, 300)
    await page.mouse.wheel(0, -3_000)
    await expect.poll(top).toBe(0)
    await journey.say('customer', 'Do I pay a fee?')
    const button = page.getByRole('button', { name: 'New messages' })
    await button.waitFor()
    expect(await top()).toBe(0)
    expect(await isInView(page, last)).toBe(false)
    await button.click()
    await expect.poll(() => isInView(page, last)).toBe(true)
    expect(await focusedText(page)).toContain('You pay us no')
    await expect.poll(() => button.count()).toBe(0)
  },
)

test.skipIf(noChromium)(
  '[surfaces 15] while the conversation is closed each reply is read out once and whole',
  async () => {
    const { page, journey } = await openAtCard(site, 4)
    await page.evaluate(() => {
      const said: string[] = []
      Object.assign(globalThis, { said })
      const observer = new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) {
          const isLive = target.parentElement?.closest('[role=log]') ?? target
          const inLog = isLive instanceof Element && isLive.closest('[role=log]') !== null
          for (const node of inLog ? addedNodes : []) said.push(node.textContent ?? '')
        }
      })
      observer.observe(document.body, { subtree: true, childList: true })
    })
    await journey.say('customer', 'How long does it take?')
    await expect
      .poll(() => page.evaluate(() => Reflect.get(globalThis, 'said')))
      .toEqual([
        expect.stringMatching(
          /^Most people need a few minutes.*Read more: How long does it take\?$/,
        ),
      ])
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 11] a reopened card shows its top, and so does the card after it',
  async () => {
    const { page } = await openAtCard(site, 5)
    const isShown = async (heading: string): Promise<void> => {
      await expect.poll(() => focusedText(page)).toBe(heading)
      await expect
        .poll(() => isInView(page, '[data-card-heading]'), { message: heading })
        .toBe(true)
    }
    await chooseHelp(page, 'Your answers so far')
    await press(page, 'Change Your details')
    await isShown('Check your answers')
    await press(page, 'Cancel')
    await isShown('Would any support help you?')
    await chooseHelp(page, 'Your answers so far')
    await press(page, 'Change Your payments')
    await isShown('How long do you want to repay?')
    await press(page, 'Continue with 10 years')
    await isShown('Would any support help you?')
  },
)

/** Goes on with Tab until the control of this name has the focus, which shows on every stop. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(() => {
      const focused = document.activeElement
      const label = focused instanceof HTMLInputElement ? focused.labels?.[0] : undefined
      // A choice shows it on its whole row.
      const shown = [focused, focused?.parentElement, focused?.parentElement?.parentElement]
        .map((each) => each && getComputedStyle(each).outlineStyle)
        .find((style) => style === 'solid')
      const isSeen = focused?.matches(':focus-visible') && shown
      return { name: (label ?? focused)?.textContent?.trim(), isSeen }
    })
    expect([name, at.name, at.isSeen]).toEqual([name, at.name, 'solid'])
    if (at.name === name) return
  }
  throw new Error(`Cannot reach '${name}' with Tab`)
}

async function enter(page: Page, name: string, value: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(value)
}

fullTest.skipIf(noChromium)(
  '[surfaces 14] the whole journey with the keyboard alone, from the heading of each card on',
  async () => {
    const { page } = await openAtCard(site, 0)
    const use = async (name: string, key = 'Enter'): Promise<void> => {
      await tabTo(page, name)
      await page.keyboard.press(key)
    }
    const next = async (heading: string): Promise<void> => {
      await expect.poll(() => focusedText(page)).toContain(heading)
      // A card that waits for its text has no buttons yet.
      await page.getByText('Loading the text').waitFor({ state: 'detached' })
      await settled(page)
    }
    await use('I understand')
    await next('Can you apply?')
    for (let question = 0; question < 4; question++) await use('Yes', 'Space')
    await use('Continue')
    await next('How long do you want to repay?')
    await use('10 years', 'Space')
    await page.keyboard.press('ArrowRight')
    await use('Continue with 12 years')
    await next('Shall we email you this estimate?')
    await use('No, thanks')
    await next('About you')
    await enter(page, 'Full name', 'Sarah Jones')
    await enter(page, 'Day', '2')
    await enter(page, 'Month', '3')
    await enter(page, 'Year', '1984')
    await use('Continue')
    await next('Where do you live?')
    await enter(page, 'Postcode', 'SW1A 1AA')
    await use('Type the address instead')
    await enter(page, 'Address line 1', '1 High Street')
    await enter(page, 'Town or city', 'London')
    await use('Continue')
    await next('Your work and money')
    await use('Employed', 'Space')
    await enter(page, 'Income in a year, before tax', '42000')
    await enter(page, 'What you spend in a month', '1400')
    await use('Check your answers')
    await next('Check your answers')
    await use('These are right. Save them')
    await next('Would any support help you?')
    await use('Skip')
    await next('May lenders check your credit file?')
    await use('Yes, they may search')
    await next('Check this before we send it')
    await use('Confirm and send')
    await next('will lend to you')
    await use('Accept this offer')
    await shows(page, FINISHED)
  },
)

test.skipIf(noChromium)(
  '[surfaces 4] [surfaces 11] the summary shows the chosen quote and every answer that is sent, and Change leads to the field and back',
  async () => {
    const { page, journey } = await openAtCard(site, 7)
    const shown = async (name: string, values: readonly string[]): Promise<void> => {
      const part = page.getByRole('region', { name, exact: true })
      for (const value of values) await part.getByText(value).first().waitFor()
    }
    await shown('Your estimate', QUOTED)
    await shown('What we send', SENT)
    await press(page, 'Change Work and money')
    await shows(page, 'Your work and money')
    await page.getByLabel('What you spend in a month').fill('1500')
    await press(page, 'Cancel')
    await shows(page, 'Check this before we send it')
    await press(page, 'Change Work and money')
    const field = page.getByLabel('What you spend in a month')
    expect(await field.inputValue()).toBe('1400')
    await field.fill('1500')
    await press(page, 'Check your answers')
    await press(page, 'These are right. Save them')
    await shows(page, 'Check this before we send it')
    await shown('What we send', ['Spends £1,500 a month'])
    expect(await journey.state()).toMatchObject({ financial: { monthlyOutgoings: 1_500 } })
  },
)

const QUOTED = ['£15,750', '10 years', '9.15%', '£197', '£23,725.20']

const SENT = [
  '10 years',
  '£17,500.00',
  '£1,750.00',
  'Yes to all four questions',
  'Sarah Jones',
  '2 March 1984',
  '1 High Street, London, SW1A 1AA',
  'Terraced',
  'With a mortgage',
  'Employed',
  '£42,000',
  '£1,400',
  'Support',
]

fullTest.skipIf(noChromium)(
  '[surfaces 10] [surfaces 12] a corrected answer is no longer red, and ticked answers survive a reload',
  async () => {
    const { page } = await openAtCard(site, 1)
    const first = page.getByRole('radio', { name: 'Yes' }).first()
    const named = page.getByRole('alert').getByRole('link')
    await press(page, 'Continue')
    const focusedRole = () =>
      page.evaluate(() => document.activeElement?.getAttribute('role') ?? undefined)
    await expect.poll(() => named.count()).toBe(4)
    await expect.poll(focusedRole).toBe('alert')
    await first.check()
    await expect.poll(() => named.count()).toBe(3)
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('isOver18')
    await expect.poll(() => page.locator('#isOver18-error').count()).toBe(0)
    await press(page, 'Continue')
    await expect.poll(focusedRole).toBe('alert')
    await page.reload()
    await shows(page, 'Can you apply?')
    expect(await first.isChecked()).toBe(true)
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(1)
  },
)
