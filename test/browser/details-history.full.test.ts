import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'
import { noChromium } from './chromium.fixture.ts'
import { settled } from './customer-page.fixture.ts'
import { fillParts, press, shows } from './journey-steps.fixture.ts'

const site = brokerSite()

const headingOf = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
const showsStep = (page: Page, step: number, name: string) =>
  page.getByRole('banner').getByText(`Step ${step} of 8${name}`, { exact: true }).waitFor()
const showsPart = (page: Page, part: number) =>
  page.getByRole('banner').getByText(`Step 4 of 8, part ${part} of 4`, { exact: true }).waitFor()

test.skipIf(noChromium)(
  '[surfaces 49] each part of the details is a history entry: Back shows the part before with its text, and saving leaves one',
  async () => {
    const { page } = await openAtCard(site, 4)
    await showsPart(page, 1)
    await fillParts(page)
    await showsPart(page, 4)
    for (const [part, heading] of [
      [3, 'Your work and money'],
      [2, 'Where do you live?'],
      [1, 'About you'],
    ] as const) {
      await page.getByRole('button', { name: 'Back to the step before' }).click()
      await showsPart(page, part)
      await expect.poll(() => headingOf(page)).toBe(heading)
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent))
        .toBe(heading)
    }
    expect(await page.getByLabel('Full name').inputValue()).toBe('Sarah Jones')
    await page.goForward()
    await showsPart(page, 2)
    await page.reload()
    await showsPart(page, 2)
    expect(await page.getByLabel('Town or city').inputValue()).toBe('London')
    await page.goForward()
    await page.goForward()
    await press(page, 'These are right. Save them')
    await shows(page, 'Would any support help you?')
    await settled(page)
    await page.goBack()
    await showsStep(page, 4, ', answered')
    await page.goBack()
    await showsStep(page, 3, ', answered')
    await page.goForward()
    await press(page, 'Change it')
    await showsPart(page, 4)
    await press(page, 'Change Address')
    await showsPart(page, 2)
    await press(page, 'Check your answers')
    await showsPart(page, 4)
    await press(page, 'Cancel')
    await showsStep(page, 4, ', answered')
    await press(page, 'Back to step 5')
    await shows(page, 'Would any support help you?')
  },
)
