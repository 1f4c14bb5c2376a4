import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { inspect } from './case-page.fixture.ts'
import { TABLET, chromiumWithSpeech, noChromium, openPage } from './chromium.fixture.ts'
import { composer, settled } from './customer-page.fixture.ts'
import { press } from './journey-steps.fixture.ts'

const site = brokerSite()

async function openInstaller(prepare: (page: Page) => Promise<unknown>) {
  const { sessionId, tokens } = await Journey.start(site.broker)
  const browser = await chromiumWithSpeech()
  onTestFinished(() => browser.close())
  const { page, faults } = await openPage(browser, TABLET)
  await prepare(page)
  await page.goto(`${site.broker.url}/installer/${sessionId}#token=${tokens.installer}`)
  await composer(page).waitFor()
  return { page, faults }
}

/** Replaces the speech service, which no test can reach: the test gives the recognised text. */
const listensTo = (page: Page) =>
  page.addInitScript(() => {
    class Listening extends EventTarget {
      start() {
        Object.assign(window, { listening: this })
      }
      stop() {
        this.dispatchEvent(new Event('end'))
      }
      abort() {
        this.stop()
      }
    }
    Object.assign(window, { SpeechRecognition: Listening })
  })

const hears = (page: Page, parts: readonly string[]) =>
  page.evaluate((transcripts) => {
    const results = transcripts.map((transcript) => [{ transcript }])
    const { listening } = window as Window & { readonly listening?: EventTarget }
    listening?.dispatchEvent(Object.assign(new Event('result'), { results }))
  }, parts)

test.skipIf(noChromium)(
  '[B002] the installer’s speech fills the field for checking, and the installer sends it',
  async () => {
    const { page, faults } = await openInstaller(listensTo)
    await composer(page).fill('Solar panels,')
    await press(page, 'Speak')
    await page.getByText('Listening, through').waitFor()
    await hears(page, ['seventeen thousand'])
    await hears(page, ['seventeen thousand pounds', 'ten percent deposit'])
    const heard = 'Solar panels, seventeen thousand pounds ten percent deposit'
    await expect.poll(() => composer(page).inputValue()).toBe(heard)
    expect(await page.getByRole('log').textContent()).not.toContain('seventeen')
    await inspect(page, 'installer-listening')
    await page.setViewportSize(TABLET)
    await press(page, 'Send')
    await page.getByRole('log').getByText(heard).waitFor()
    await settled(page)
    await page.getByRole('button', { name: 'Speak' }).waitFor()
    await page.getByText('£17,000').first().waitFor()
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[B002] a browser without speech recognition shows no button, one without permission an error',
  async () => {
    const deaf = await openInstaller((page) =>
      page.addInitScript(() => {
        Object.assign(window, { SpeechRecognition: undefined, webkitSpeechRecognition: undefined })
      }),
    )
    expect(await deaf.page.getByRole('button', { name: 'Speak' }).count()).toBe(0)
    const { page } = await openInstaller(async () => {})
    await press(page, 'Speak')
    await page
      .getByText('This page may not use the microphone')
      .or(page.getByText('could not turn speech into text'))
      .waitFor()
    await page.getByRole('button', { name: 'Speak' }).waitFor()
  },
)
