import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { scriptedModel } from '../../src/models/index.ts'
import type { LanguageModel } from '../../src/models/index.ts'
import { HELD, heldReplies } from '../../apps/broker/journeys/held-replies.fixture.ts'
import { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import {
  TABLET,
  intercept,
  look,
  noChromium,
  openPage,
  sharedChromium,
} from './chromium.fixture.ts'
import {
  ask,
  chooseHelp,
  closeTalk,
  composer,
  isInView,
  openTalk,
  settled,
} from './customer-page.fixture.ts'
import { checkAccessible, press, shows } from './journey-steps.fixture.ts'
import { fullTest } from '../tier.fixture.ts'
import { servePages } from './pages-server.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'

const QUESTION = 'Is this a loan?'
const UNLUCKY = 'Will this one fail?'

let provider: 'up' | 'down' = 'up'

/** The model, but without an answer to one question while its provider is down. */
function failing(held: LanguageModel): LanguageModel {
  const model = scriptedModel(() => '')
  // Both are scripted models, and those are of one version.
  const whole = held as typeof model
  model.doStream = (call) => {
    const isDown = provider === 'down' && JSON.stringify(call.prompt.at(-1)).includes(UNLUCKY)
    return isDown ? Promise.reject(new Error('overloaded')) : whole.doStream(call)
  }
  return model
}

let site: { readonly broker: Awaited<ReturnType<typeof servePages>>; readonly browser: Browser }

beforeAll(async () => {
  if (noChromium) return
  const model = failing(heldReplies((newest) => newest.includes(QUESTION)))
  const broker = await servePages({ model, folder: inject('pages') })
  site = { broker, browser: await sharedChromium() }
})

afterAll(async () => {
  if (noChromium) return
  await site.broker.close()
})

const stopButton = (page: Page) => page.getByRole('button', { name: 'Stop', exact: true })
const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

/** The words of the reply are on the screen, and the way to stop it. */
async function isReplying(page: Page): Promise<void> {
  await page.getByText(HELD).last().waitFor()
  await stopButton(page).waitFor()
}

/** The ends of the runs that one side's turns began, as the log has them. */
async function ends(journey: Journey, surface = 'customer') {
  const records = await recordsOf(site.broker.log, journey.sessionId)
  return records
    .filter(({ type, origin }) => type.startsWith('RUN_') && origin.surface === surface)
    .filter(({ type }) => type !== 'RUN_STARTED')
    .map(({ data }) => data)
}

const CANCELLED = { outcome: { type: 'cancelled' }, metadata: { stoppedBy: 'customer' } }

fullTest.skipIf(noChromium)(
  '[surfaces 4] a question that is sent while a reply is written shows at once and goes when the reply is over',
  async () => {
    const { page } = await openAtCard(site, 2)
    await ask(page, QUESTION)
    await isReplying(page)
    await composer(page).fill('What happens to my data?')
    await composer(page).press('Enter')
    await page.getByRole('dialog').getByText('What happens to my data?').waitFor()
    expect(await composer(page).inputValue()).toBe('')
    await press(page, 'Stop')
    await page.getByRole('log').getByText('Stopped before it was finished.').waitFor()
    await page.getByRole('log').getByText('What happens to my data?').waitFor()
    await settled(page)
    expect(await page.getByText('What happens to my data?').count()).toBe(1)
    expect(await page.getByRole('log').locator('> div').count()).toBeGreaterThan(3)
  },
)

test.skipIf(noChromium)(
  '[surfaces 7] the keyboard stops a reply by its button and by Escape: its text stays, marked as stopped, and the next message can be written at once',
  async () => {
    const { journey, page, faults } = await openAtCard(site, 2)
    await openTalk(page)
    await composer(page).focus()
    await page.keyboard.type(QUESTION)
    await page.keyboard.press('Enter')
    await isReplying(page)
    const before = await page.evaluate(() => scrollY)
    await page.keyboard.press('Tab')
    expect(await focusedName(page)).toBe('Stop')
    // The bar is always in view: to reach it moves nothing.
    expect(await page.evaluate(() => scrollY)).toBe(before)
    await checkAccessible(page, 'replying')
    await look(page, 'stop-replying')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('Stopped before it was finished.').waitFor()
    await settled(page)
    expect(await focusedName(page)).toBe('Send')
    expect(await page.getByRole('log').getByText(HELD).count()).toBe(1)
    expect((await ends(journey)).at(-1)).toMatchObject(CANCELLED)
    await look(page, 'stop-stopped')

    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type('What happens to my data?')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('What happens to my data?').waitFor()
    await settled(page)
    expect((await ends(journey)).at(-1)).not.toMatchObject(CANCELLED)

    await page.keyboard.type(QUESTION)
    await page.keyboard.press('Enter')
    await isReplying(page)
    await page.keyboard.press('Escape')
    await settled(page)
    expect(await page.getByText('Stopped before it was finished.').count()).toBe(2)
    expect((await ends(journey)).at(-1)).toMatchObject(CANCELLED)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[surfaces 7] [surfaces 9] a reply is stopped after a reload and from another tab, and every tab shows it',
  async () => {
    const { journey, page, context } = await openAtCard(site, 0)
    const other = await context.newPage()
    await other.goto(page.url())
    await ask(page, QUESTION)
    await isReplying(page)
    await page.reload()
    await isReplying(page)
    await openTalk(other)
    await isReplying(other)
    await stopButton(other).click()
    for (const tab of [other, page]) {
      await tab.getByRole('log').getByText('Stopped before it was finished.').waitFor()
      await settled(tab)
      expect(await tab.getByRole('dialog').getByText(HELD).count()).toBe(1)
    }
    expect(await ends(journey)).toHaveLength(2)
    await page.reload()
    await page.getByRole('log').getByText('Stopped before it was finished.').waitFor()
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 44] a failed answer is still marked after a reload, and is requested again without a second question',
  async () => {
    const { page, faults } = await openAtCard(site, 0)
    provider = 'down'
    await ask(page, UNLUCKY)
    const told = page.getByText('The assistant could not reply.')
    await told.waitFor()
    await page.reload()
    await told.waitFor()
    expect(await told.count()).toBe(1)
    await press(page, 'Try again')
    await expect.poll(() => told.count()).toBe(0)
    await told.waitFor()
    expect(await told.count()).toBe(1)
    provider = 'up'
    await press(page, 'Try again')
    await expect.poll(() => told.count()).toBe(0)
    await settled(page)
    expect(await told.count()).toBe(0)
    expect(await page.getByRole('log').getByText(UNLUCKY).count()).toBe(1)
    expect(faults).toEqual([])
  },
)

async function cannotBeTold(): Promise<void> {
  const { journey, page, context } = await openAtCard(site, 0)
  const cancels = '**/runs/*/cancel'
  await ask(page, QUESTION)
  await isReplying(page)
  const release = await intercept(context, cancels, (route) => route.abort())
  await stopButton(page).click()
  await page.getByText('The stop did not reach the server.').waitFor()
  release()
  // The server's answer for a run that is ending already.
  const late = { status: 409, json: { code: 'not_running', status: 409, detail: '' } }
  const releaseLate = await intercept(context, cancels, (route) => route.fulfill(late))
  await stopButton(page).click()
  await page.getByText('The reply was finished already.').waitFor()
  expect(await stopButton(page).count()).toBe(0)
  releaseLate()
  await page.reload()
  await isReplying(page)
  await stopButton(page).click()
  await settled(page)
  expect((await ends(journey)).at(-1)).toMatchObject(CANCELLED)
}

async function doubleClick(): Promise<void> {
  const { journey, page } = await openAtCard(site, 0)
  await openTalk(page)
  await composer(page).fill(QUESTION)
  await page.getByRole('button', { name: 'Send', exact: true }).dblclick({ delay: 60 })
  await isReplying(page)
  expect(await ends(journey)).toHaveLength(1)
  const records = await recordsOf(site.broker.log, journey.sessionId)
  const said = records.filter(({ data }) => JSON.stringify(data).includes(QUESTION))
  expect(said.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')).toHaveLength(1)
  await stopButton(page).click()
  await settled(page)
}

async function clickStands(): Promise<void> {
  const { journey, page } = await openAtCard(site, 4)
  await shows(page, 'About you')
  await ask(page, QUESTION)
  await isReplying(page)
  await stopButton(page).click()
  await settled(page)
  expect(await isInView(page, '[role=log] > div')).toBe(true)
  await closeTalk(page)
  await shows(page, 'About you')
  await page.getByText('Saved at').waitFor()
  expect(await journey.state()).toMatchObject({ emailPreference: { wantsEmailCopy: false } })
  await chooseHelp(page, 'Your answers so far')
  await press(page, 'Change Copy by email')
  await press(page, 'No, thanks')
  await shows(page, 'About you')
}

async function installer(): Promise<void> {
  const journey = await Journey.start(site.broker)
  const { page, faults } = await openPage(site.browser, TABLET)
  const { sessionId, tokens } = journey
  await page.goto(`${site.broker.url}/installer/${sessionId}#token=${tokens.installer}`)
  await composer(page).focus()
  await page.keyboard.type(QUESTION)
  await page.keyboard.press('Enter')
  await isReplying(page)
  for (let stops = 0; stops < 3 && (await focusedName(page)) !== 'Stop'; stops++) {
    await page.keyboard.press('Tab')
  }
  expect(await focusedName(page)).toBe('Stop')
  await page.keyboard.press('Space')
  await page.getByRole('log').getByText('Stopped before it was finished.').waitFor()
  await settled(page)
  expect(await ends(journey, 'installer')).toMatchObject([
    { outcome: { type: 'cancelled' }, metadata: { stoppedBy: 'installer' } },
  ])
  await look(page, 'stop-installer')
  expect(faults).toEqual([])
}

/** The tests above cover the common part of all stops. */
const MORE = [
  ['a stop that cannot be sent shows an error and is retried; a late one shows that', cannotBeTold],
  ['a double click on Send sends once and stops nothing', doubleClick],
  [
    'a click that was recorded before the stop stays recorded, and its card has gone on',
    clickStands,
  ],
  ['the installer stops the reply to them, with the keyboard', installer],
] as const

fullTest.skipIf(noChromium).for(MORE)('[surfaces 5] [surfaces 7] %s', ([, check]) => check())
