import { expect, test } from 'vitest'
import { recordsOf } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'
import { noChromium } from './chromium.fixture.ts'
import { composer, isInView, say, settled } from './customer-page.fixture.ts'
import { checkAccessible, press, shows } from './journey-steps.fixture.ts'

const site = brokerSite()

test.skipIf(noChromium)(
  '[surfaces 4] what was written and what was pressed offline each keep their retry, through a reload too',
  async () => {
    const { page, context, journey } = await openAtCard(site, 3)
    await context.setOffline(true)
    await say(page, 'Is this a loan?')
    await page.getByText('Not sent.').waitFor()
    await press(page, 'No, thank you')
    await page.getByText('could not confirm').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(2)
    await composer(page).fill('half a')
    await context.setOffline(false)
    await page.reload()
    await shows(page, 'Do you want a copy by email?')
    expect(await page.getByText('Is this a loan?').count()).toBe(1)
    expect(await composer(page).inputValue()).toBe('half a')
    await press(page, 'Try again')
    await page.getByRole('log').getByText('Is this a loan?').waitFor()
    await settled(page)
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await press(page, 'No, thank you')
    await shows(page, 'Your details')
    const records = await recordsOf(site.broker.log, journey.sessionId)
    const said = records.filter(({ data }) => JSON.stringify(data).includes('"Is this a loan?"'))
    const pressed = records.filter(({ type }) => type === 'record_email_preference')
    expect([said.length, pressed.length]).toEqual([1, 1])
  },
)

test.skipIf(noChromium)(
  '[surfaces 4] after a failed message and a failed press, the message is sent by its own retry and the press by its own',
  async () => {
    const { page, context } = await openAtCard(site, 3)
    await context.setOffline(true)
    await say(page, 'Is this a loan?')
    await page.getByText('Not sent.').waitFor()
    await press(page, 'No, thank you')
    await page.getByText('could not confirm').waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).last().click()
    await shows(page, 'Your details')
    await settled(page)
    expect(await page.getByText('Not sent.').count()).toBe(1)
    await press(page, 'Try again')
    await page.getByRole('log').getByText('Is this a loan?').waitFor()
    await settled(page)
    expect(await page.getByText('Not sent.').count()).toBe(0)
  },
)

test.skipIf(noChromium)(
  '[surfaces 6] a press that fails says so at its button, in view and as an alert',
  async () => {
    const { page, context } = await openAtCard(site, 0)
    await context.setOffline(true)
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
        (alert?.getBoundingClientRect().top ?? 0) - (button?.getBoundingClientRect().bottom ?? 0)
      )
    })
    expect(gap).toBeGreaterThan(0)
    expect(gap).toBeLessThan(80)
    await checkAccessible(page, 'failed press')
    await press(page, 'Leave for now')
    await press(page, 'Withdraw the application')
    await page.locator('footer').getByRole('alert').waitFor()
    expect(await isInView(page, 'footer [role=alert]')).toBe(true)
    expect(await alert.count()).toBe(2)
    await context.setOffline(false)
    await page.locator('footer').getByRole('button', { name: 'Try again' }).click()
    await shows(page, 'You withdrew this application')
  },
)
