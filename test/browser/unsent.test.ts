import { expect, test } from 'vitest'
import { fullTest } from '../tier.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'
import { intercept, noChromium } from './chromium.fixture.ts'
import {
  ask,
  askLine,
  chooseHelp,
  closeTalk,
  composer,
  isInView,
  openTalk,
  settled,
  spokenMessage,
} from './customer-page.fixture.ts'
import { checkAccessible, press, shows } from './journey-steps.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

const site = brokerSite()

/** Where presses and messages go. */
const RUNS = '**/runs'

test.skipIf(noChromium)(
  '[surfaces 4] an unsent message and an unsent press each keep their retry, also after a reload',
  async () => {
    const { page, context, journey } = await openAtCard(site, 3)
    const release = await intercept(context, RUNS, (route) => route.abort())
    await ask(page, 'Is this a loan?')
    await page.getByText('Not sent.').waitFor()
    await composer(page).fill('half a')
    await closeTalk(page)
    await press(page, 'No, thanks')
    await page.getByText('could not confirm').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(1)
    release()
    await page.reload()
    await shows(page, 'Shall we email you this estimate?')
    await askLine(page).getByText('A message could not be sent.').waitFor()
    await openTalk(page)
    expect(await page.getByRole('dialog').getByText('Is this a loan?').count()).toBe(1)
    expect(await composer(page).inputValue()).toBe('half a')
    await press(page, 'Try again')
    await spokenMessage(page, 'Is this a loan?').waitFor()
    await settled(page)
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await closeTalk(page)
    await press(page, 'No, thanks')
    await shows(page, 'About you')
    const records = await recordsOf(site.broker.log, journey.sessionId)
    const said = records.filter(({ data }) => JSON.stringify(data).includes('"Is this a loan?"'))
    const pressed = records.filter(({ type }) => type === 'record_email_preference')
    expect([said.length, pressed.length]).toEqual([1, 1])
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 6] while a press is sent its own button alone shows it, and the others cannot act',
  async () => {
    const { page, context } = await openAtCard(site, 3)
    const sent = Promise.withResolvers<void>()
    await context.route(RUNS, async (route) => {
      await sent.promise
      await route.continue()
    })
    await press(page, 'No, thanks')
    const busy = page.locator('button[aria-busy=true]')
    await expect.poll(() => busy.allTextContents()).toEqual(['No, thanks'])
    const other = page.getByRole('button', { name: 'Yes, email it' })
    expect(await other.getAttribute('aria-disabled')).toBe('true')
    await checkAccessible(page, 'press under way')
    sent.resolve()
    await shows(page, 'About you')
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 6] a failed press shows an error at its button, in view and as an alert',
  async () => {
    const { page, context } = await openAtCard(site, 0)
    const release = await intercept(context, RUNS, (route) => route.abort())
    await press(page, 'I understand')
    const alert = page.getByRole('alert')
    await alert.getByText('could not confirm').waitFor()
    expect(await isInView(page, '[role=alert]')).toBe(true)
    const gap = await page.evaluate(() => {
      const button = [...document.querySelectorAll('button')].find(
        ({ textContent }) => textContent === 'I understand',
      )
      const alert = document.querySelector('[role=alert]')
      return (
        (button?.getBoundingClientRect().top ?? 0) - (alert?.getBoundingClientRect().bottom ?? 0)
      )
    })
    expect(gap).toBeGreaterThanOrEqual(0)
    expect(gap).toBeLessThan(80)
    await checkAccessible(page, 'failed press')
    await chooseHelp(page, 'Withdraw')
    const sheet = page.getByRole('dialog', { name: 'Withdraw your application?' })
    await sheet.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await sheet.getByRole('alert').waitFor()
    expect(await isInView(page, 'dialog [role=alert]')).toBe(true)
    release()
    await sheet.getByRole('button', { name: 'Try again' }).click()
    await shows(page, 'You withdrew your application')
  },
)

test.skipIf(noChromium)(
  '[surfaces 6] a press made offline decides nothing, shows that until the connection is back, and is never sent by itself',
  async () => {
    const { page, context, journey } = await openAtCard(site, 3)
    const before = await recordsOf(site.broker.log, journey.sessionId)
    await context.setOffline(true)
    await press(page, 'No, thanks')
    const said = page.getByText('You are offline. Try again when you are connected.')
    await said.waitFor()
    expect(await page.getByText('You are offline').count()).toBe(1)
    await checkAccessible(page, 'pressed offline')
    await context.setOffline(false)
    await expect.poll(() => page.getByText('You are offline').count()).toBe(0)
    await shows(page, 'Shall we email you this estimate?')
    expect(await recordsOf(site.broker.log, journey.sessionId)).toEqual(before)
    await press(page, 'No, thanks')
    await shows(page, 'About you')
  },
)

test.skipIf(noChromium)(
  '[surfaces 4] a message written offline is kept over a reload and sent once when connected, under one notice',
  async () => {
    const { page, context, journey } = await openAtCard(site, 3)
    const before = await recordsOf(site.broker.log, journey.sessionId)
    await context.setOffline(true)
    const notices = page.getByText('You are offline')
    await expect.poll(() => notices.count()).toBe(1)
    await ask(page, 'Is this a loan?')
    await page.getByText('We send this when you are connected.').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    expect(await notices.count()).toBe(1)
    await checkAccessible(page, 'message written offline')
    expect(await recordsOf(site.broker.log, journey.sessionId)).toEqual(before)
    // A page that is offline cannot load, so the page's own "online" event must not send the message.
    await page.evaluate(() => {
      addEventListener('online', (event) => event.stopImmediatePropagation(), true)
      Object.defineProperty(navigator, 'onLine', { get: () => false })
    })
    await context.setOffline(false)
    await page.reload()
    await shows(page, 'Shall we email you this estimate?')
    await openTalk(page)
    await spokenMessage(page, 'Is this a loan?').waitFor()
    await settled(page)
    await expect.poll(() => notices.count()).toBe(0)
    const records = await recordsOf(site.broker.log, journey.sessionId)
    const said = records.filter(({ data }) => JSON.stringify(data).includes('"Is this a loan?"'))
    expect(said).toHaveLength(1)
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 4] a message written offline is sent without a reload once the network is back',
  async () => {
    const { page, context } = await openAtCard(site, 3)
    await context.setOffline(true)
    await ask(page, 'Is this a loan?')
    await page.getByText('We send this when you are connected.').waitFor()
    await context.setOffline(false)
    await spokenMessage(page, 'Is this a loan?').waitFor()
    await settled(page)
    expect(await page.getByText('We send this when you are connected.').count()).toBe(0)
  },
)
