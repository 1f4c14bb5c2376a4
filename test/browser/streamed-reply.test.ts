import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { fullTest } from '../tier.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'
import { TABLET, noChromium, openPage } from './chromium.fixture.ts'
import { askLine, composer, settled } from './customer-page.fixture.ts'
import { press } from './journey-steps.fixture.ts'

const site = brokerSite()
const SENTENCE = 'Solar and a battery for £17,500, ten percent deposit, the customer is Sarah'

async function openInstaller() {
  const { sessionId, tokens } = await Journey.start(site.broker)
  const { page, context } = await openPage(site.browser, TABLET)
  const address = `${site.broker.url}/installer/${sessionId}#token=${tokens.installer}`
  await page.goto(address)
  await composer(page).waitFor()
  return { page, context, address }
}

/** The reply while the model writes it: the page draws it after the log of finished messages. */
const OPEN_REPLY = '[role=log] ~ div p[dir=auto]'

interface Growth {
  readonly length: number
  readonly height: number
  readonly composerTop: number
}

type Watched = typeof globalThis & { growth: Growth[] }

/** Notes each length of the open reply that the page draws. */
const watchReply = (page: Page) =>
  page.evaluate((selector) => {
    const growth: Growth[] = []
    ;(globalThis as Watched).growth = growth
    const note = (): void => {
      const reply = [...document.querySelectorAll<HTMLElement>(selector)].find((text) =>
        text.parentElement?.innerText.startsWith('Assistant'),
      )
      const composerTop = document.querySelector('textarea')?.getBoundingClientRect().top ?? 0
      const length = reply?.textContent?.length ?? 0
      if (!reply || growth.at(-1)?.length === length) return
      growth.push({ length, height: reply.getBoundingClientRect().height, composerTop })
    }
    const what = { subtree: true, childList: true, characterData: true }
    new MutationObserver(note).observe(document.body, what)
  }, OPEN_REPLY)

test.skipIf(noChromium)(
  '[surfaces 1] a reply grows while it is written, never shrinks, and does not move the composer',
  async () => {
    const { page } = await openInstaller()
    await watchReply(page)
    const stops = ['Understood', '£17,500', '07700'].map((words) => site.broker.holdAt(words))
    await composer(page).fill(`${SENTENCE}, sarah@example.com, 07700 900123`)
    await composer(page).press('Enter')
    for (const { words, goOn } of stops) {
      await page.locator(OPEN_REPLY).filter({ hasText: words }).waitFor()
      goOn()
    }
    await settled(page)
    await page.getByRole('log').getByText('Understood').waitFor()
    const growth = await page.evaluate(() => (globalThis as Watched).growth)
    const inOrder = (values: readonly number[]) => values.toSorted((one, other) => one - other)
    const lengths = growth.map(({ length }) => length)
    expect(new Set(lengths).size).toBeGreaterThanOrEqual(stops.length)
    expect(lengths).toEqual(inOrder(lengths))
    const heights = growth.map(({ height }) => height)
    expect(heights).toEqual(inOrder(heights))
    expect(new Set(growth.map(({ composerTop }) => composerTop)).size).toBe(1)
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 4] the conversation shows a sent message before a slow server has answered',
  async () => {
    const { page } = await openInstaller()
    const held: Route[] = []
    await page.route('**/runs', (route) => void held.push(route))
    await composer(page).fill(SENTENCE)
    await press(page, 'Send')
    await page.getByText(SENTENCE, { exact: true }).waitFor()
    expect(held).toHaveLength(1)
    expect(await page.getByRole('log').getByText(SENTENCE).count()).toBe(0)
    expect(await composer(page).inputValue()).toBe('')
    await held[0]?.continue()
    await page.getByRole('log').getByText(SENTENCE).waitFor()
  },
)

test.skipIf(noChromium)(
  '[surfaces 9] a page that is reloaded in the middle of a reply ends with the transcript of one that was not',
  async () => {
    const { page, context, address } = await openInstaller()
    const other = await context.newPage()
    await other.goto(address)
    await composer(other).waitFor()
    const { words, goOn } = site.broker.holdAt('Understood')
    await composer(page).fill(SENTENCE)
    await composer(page).press('Enter')
    const half = page.locator(OPEN_REPLY).filter({ hasText: words })
    await half.waitFor()
    await page.reload()
    await half.waitFor()
    goOn()
    const transcripts = await Promise.all(
      [page, other].map(async (each) => {
        await each.getByRole('log').getByText('Understood').waitFor()
        await settled(each)
        return each.getByRole('log').innerText()
      }),
    )
    expect(transcripts[0]).toContain(SENTENCE)
    expect(transcripts[0]).toBe(transcripts[1])
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 50] while a reply is written the card and its button stay where they are',
  async () => {
    const { page, journey } = await openAtCard(site, 4)
    const boxes = () =>
      Promise.all(
        [
          page.getByRole('heading', { level: 1 }),
          page.getByLabel('Full name'),
          page.getByRole('button', { name: 'Continue', exact: true }),
        ].map((part) => part.boundingBox()),
      )
    const before = await boxes()
    const { goOn } = site.broker.holdAt('Most people')
    const replied = journey.say('customer', 'How long does it take?')
    await page.getByText('Writing an answer…').waitFor()
    expect(await boxes()).toEqual(before)
    goOn()
    await replied
    await askLine(page).getByText('Most people need a few minutes').waitFor()
    expect(await boxes()).toEqual(before)
  },
)
