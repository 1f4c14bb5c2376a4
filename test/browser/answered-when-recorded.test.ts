import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { HELD, heldReplies } from '../../apps/broker/journeys/held-replies.fixture.ts'
import { caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import { PHONE, intercept, look, noChromium, openPage, sharedChromium } from './chromium.fixture.ts'
import { ask, askLine, closeTalk, openTalk, settled } from './customer-page.fixture.ts'
import { press, shows } from './journey-steps.fixture.ts'
import { servePages } from './pages-server.fixture.ts'

/** Whether the assistant never ends its reply to the first card. */
let holds = true

let browser: Browser
let broker: Awaited<ReturnType<typeof servePages>>

beforeAll(async () => {
  if (noChromium) return
  const model = heldReplies((newest) => holds && newest.includes('confirms service_status'))
  broker = await servePages({ model, folder: inject('pages') })
  browser = await sharedChromium()
})

afterAll(async () => {
  if (noChromium) return
  await broker.close()
})

/** A customer's phone after some steps of the journey, and what its page asks the server for. */
async function onThePhone(steps: number, heading: string) {
  const journey = await caseAfter(broker, steps)
  const { page, faults } = await openPage(browser, PHONE)
  const asked: string[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.startsWith('/api/')) return
    const path = pathname.replace(journey.sessionId, ':id')
    asked.push(`${response.request().method()} ${path} ${response.status()}`)
  })
  await page.goto(`${broker.url}/customer/${journey.sessionId}#token=${journey.tokens.customer}`)
  await shows(page, heading)
  await settled(page)
  return { journey, page, faults, asked }
}

test.skipIf(noChromium)(
  'a press and a message are answered once they are recorded, and the page reads their results from its stream alone',
  async () => {
    const { journey, page, faults, asked } = await onThePhone(1, 'Here is who we are')
    await ask(page, 'Are you a lender?')
    await page.getByRole('log').getByText('Are you a lender?').waitFor()
    await settled(page)
    await closeTalk(page)
    await press(page, 'I understand')
    // The assistant's reply to the press never ends: the next card does not wait for it.
    await shows(page, 'Can you apply?')
    await page.getByText('Saved at').waitFor()
    await openTalk(page)
    await page.getByText(HELD).waitFor()
    expect(asked.filter((each) => each.includes('/runs'))).toEqual([
      'POST /api/threads/:id/runs 202',
      'POST /api/threads/:id/runs 202',
    ])
    expect(asked.filter((each) => /\/state|\/chat|GET .*\/session/.test(each))).toEqual([])
    expect(asked.filter((each) => each.includes('/events'))).toEqual([
      'GET /api/threads/:id/events 200',
    ])
    expect(page.url()).toContain('#seed=')
    expect(await journey.state()).toMatchObject({ status: 'customer_active' })
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  'after the lenders’ decision the page asks the assistant to report it, once, and a reload asks for nothing',
  async () => {
    holds = false
    const { page, asked } = await onThePhone(7, 'May lenders check your credit file?')
    holds = true
    await press(page, 'Yes, they may search')
    await shows(page, 'Check this before we send it')
    await settled(page)
    await press(page, 'Confirm and send')
    await askLine(page).getByText('has approved the loan').waitFor()
    await settled(page)
    await look(page, 'reported-decision')
    const isRun = (each: string) => each === 'POST /api/threads/:id/runs 202'
    expect(asked.filter(isRun)).toHaveLength(3)
    await page.reload()
    await shows(page, 'will lend to you')
    await settled(page)
    expect(asked.filter(isRun)).toHaveLength(3)
  },
)

test.skipIf(noChromium)(
  '[surfaces 6] [surfaces 9] a press that was answered is called recorded once the stream shows it, not before',
  async () => {
    const { page } = await onThePhone(1, 'Here is who we are')
    const release = await intercept(page, '**/events?*', (route) => route.abort())
    await becomes(page, 'hidden')
    await becomes(page, 'visible')
    await page.getByText('Connection lost').waitFor()
    const answered = page.waitForResponse((response) => response.url().endsWith('/runs'))
    await press(page, 'I understand')
    expect((await answered).status()).toBe(202)
    await page.locator('button[aria-busy=true]').waitFor()
    expect(await page.getByText('Saved at').count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'Here is who we are' }).count()).toBe(1)
    await look(page, 'answered-not-recorded')
    release()
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await shows(page, 'Can you apply?')
    await page.getByText('Saved at').waitFor()
  },
)

/** A page that is hidden lets its stream go, and follows its thread again once it is seen. */
const becomes = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', {
      value: visibilityState,
      configurable: true,
    })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
