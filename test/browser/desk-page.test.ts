import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { fullTest } from '../tier.fixture.ts'
import { sharedChromium, noChromium, openPage } from './chromium.fixture.ts'
import { DESK, PHONE, ask, checkLooks, disclosure, idle, said } from './threads-page.fixture.ts'
import { serveDesk } from './threads-server.fixture.ts'

let browser: Browser
let desk: Awaited<ReturnType<typeof serveDesk>>
beforeAll(async () => {
  if (noChromium) return
  browser = await sharedChromium()
  desk = await serveDesk()
})
afterAll(async () => {
  if (noChromium) return
  await desk.close()
})

async function openDesk(thread: string, viewport = DESK) {
  const opened = await openPage(browser, viewport)
  await opened.page.goto(`${desk.url}/threads/${thread}`)
  await opened.page.getByRole('textbox', { name: 'Message' }).waitFor()
  return opened
}

const conversations = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })
const LAMP = 'My reading lamp came broken, order 4711. Can I have my money back?'

test.skipIf(noChromium)(
  '[surfaces 60] an approval is a sentence with the amount, its facts and the reason; the call as JSON is folded',
  async () => {
    const { page, faults } = await openDesk('approval')
    await ask(page, LAMP)
    const needs = page.getByRole('complementary')
    await needs.getByRole('heading', { name: 'Refund £89.00?' }).waitFor()
    await needs.getByText('desk asks. Nothing is paid until you agree.').waitFor()
    const facts = await needs.locator('dl').first().innerText()
    expect(facts).toContain('4711, reading lamp')
    expect(facts).toContain('£89.00 by card on 3 November')
    await needs.getByText('Above £50.00 a person of the shop must agree').waitFor()
    expect(await needs.getByText('"order"').count()).toBe(0)
    await disclosure(needs, 'The request as it was made').click()
    await needs.getByText('"order": "4711"').waitFor()
    const looks = await Promise.all(
      ['Refuse', 'Refund £89.00'].map((name) =>
        needs.getByRole('button', { name, exact: true }).evaluate((button) => ({
          width: Math.round(button.getBoundingClientRect().width),
          weight: getComputedStyle(button).fontWeight,
          colour: getComputedStyle(button).backgroundColor,
        })),
      ),
    )
    expect(looks[0]).toEqual(looks[1])
    await checkLooks(page, 'approval')
    await page.setViewportSize(PHONE)
    const question = needs.getByRole('heading', { name: 'Refund £89.00?' })
    await expect
      .poll(() => question.evaluate((node) => node.getBoundingClientRect().bottom < innerHeight))
      .toBe(true)
    await needs.getByRole('button', { name: 'Refund £89.00' }).click()
    await page.getByRole('main').getByText('We give you back £89.00').waitFor()
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  'the desk shows the conversation; who worked on it and when is a trace that opens',
  async () => {
    const { page, faults } = await openDesk('trace')
    await ask(page, LAMP)
    await page.getByText('is working', { exact: false }).first().waitFor()
    await page.getByRole('button', { name: 'Refund £89.00' }).click()
    await page.getByRole('main').getByText('We give you back £89.00').waitFor()
    await idle(page)
    expect(await said(page, 'What happened to order 4711?').count()).toBe(0)
    await disclosure(page.getByRole('main'), 'How it was answered: 6 agents').click()
    const rows = page.getByRole('list', { name: 'Who did what, in order' }).getByRole('listitem')
    const names = await rows.locator('b').allInnerTexts()
    expect(names.slice(0, 3)).toEqual(['desk', 'orders', 'look_up_order'])
    expect(names).toEqual(expect.arrayContaining(['carrier', 'trace_parcel', 'refund', 'writer']))
    await checkLooks(page, 'trace', [DESK, PHONE])
    await page.getByRole('button', { name: 'Show everything that was said and done' }).click()
    expect(new URL(page.url()).search).toBe('?depth=all')
    await said(page, 'What happened to order 4711?').waitFor()
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  'the list of conversations says which of them needs a person, and leads to each',
  async () => {
    const { page, faults } = await openDesk('first-in-list')
    await ask(page, LAMP)
    const lamp = conversations(page).getByRole('link', { name: /reading lamp came broken/ })
    await lamp.filter({ hasText: 'Needs you' }).first().waitFor()
    await conversations(page).getByRole('link', { name: 'New' }).click()
    await ask(page, 'Do you ship to Ireland?')
    const current = conversations(page).locator('[aria-current=page]')
    await current
      .filter({ hasText: 'Do you ship to Ireland?' })
      .filter({ hasText: 'Ended' })
      .waitFor()
    await lamp.filter({ hasText: 'Needs you' }).first().click()
    await page.getByRole('heading', { name: 'Refund £89.00?' }).waitFor()
    expect(faults).toEqual([])
  },
)
