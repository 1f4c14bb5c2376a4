import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { fullTest } from '../tier.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'
import { PHONE, noChromium } from './chromium.fixture.ts'
import { askLine, closeTalk, openTalk } from './customer-page.fixture.ts'
import { press, shows } from './journey-steps.fixture.ts'

const site = brokerSite()

/** The focused element and its ring. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const ring = outlineStyle === 'none' ? 'none' : `${outlineStyle} ${outlineWidth}`
    return { tag: element.tagName, text: element.textContent, ring }
  })

const onHeading = (text: string, ring: string) => ({ tag: 'H1', text, ring })

const headingHas = (page: Page, text: string, ring: string) =>
  expect.poll(() => focused(page)).toEqual(onHeading(text, ring))

test.skipIf(noChromium)(
  '[surfaces 14] a new card’s heading takes the focus; its ring shows after a key, not after a press by mouse',
  async () => {
    const { page } = await openAtCard(site, 3)
    await press(page, 'No, thanks')
    await shows(page, 'About you')
    await headingHas(page, 'About you', 'none')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toMatchObject({ ring: 'solid 3px' })
    const { page: other } = await openAtCard(site, 3)
    await other.getByRole('button', { name: 'No, thanks' }).focus()
    await other.keyboard.press('Enter')
    await shows(other, 'About you')
    await headingHas(other, 'About you', 'solid 3px')
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 14] without a key no ring shows: on a page just loaded, after a touch, or on an error summary',
  async () => {
    const { page, journey } = await openAtCard(site, 1)
    const touch = await site.browser.newContext({ viewport: PHONE, hasTouch: true })
    onTestFinished(() => touch.close())
    const phone = await touch.newPage()
    const { sessionId, tokens } = journey
    await phone.goto(`${site.broker.url}/customer/${sessionId}#token=${tokens.customer}`)
    await shows(phone, 'Can you apply?')
    await phone.evaluate(() => document.querySelector('h1')?.focus())
    await headingHas(phone, 'Can you apply?', 'none')
    await phone.getByRole('button', { name: 'Continue', exact: true }).tap()
    await phone.getByRole('alert').getByText('There is a problem').waitFor()
    await expect.poll(() => focused(phone)).toMatchObject({ tag: 'DIV', ring: 'none' })
    for (const yes of await phone.getByRole('radio', { name: 'Yes' }).all()) await yes.tap()
    await phone.getByRole('button', { name: 'Continue', exact: true }).tap()
    await headingHas(phone, 'How long do you want to repay?', 'none')
    await openTalk(page)
    expect(await page.evaluate(() => document.querySelector('dialog :focus-visible'))).toBe(null)
    await closeTalk(page)
    expect((await focused(page)).ring).toBe('none')
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 14] the ring of the line that leads to the conversation is in the window',
  async () => {
    const { page } = await openAtCard(site, 3)
    await page.keyboard.press('Tab')
    await askLine(page).focus()
    const ring = await askLine(page).evaluate((line) => {
      const { left, right } = line.getBoundingClientRect()
      const { outlineOffset, outlineWidth } = getComputedStyle(line)
      const beyond = parseFloat(outlineOffset) + parseFloat(outlineWidth)
      return { start: left - beyond, end: innerWidth - right - beyond, width: outlineWidth }
    })
    expect(ring).toEqual({ start: 0, end: 0, width: '3px' })
  },
)
