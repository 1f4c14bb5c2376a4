import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { timesInTier } from '../tier.fixture.ts'
import { look } from './chromium.fixture.ts'

export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click()

/** Unfolds the form of the start page for a case that is no demonstration. */
export const OWN_CASE = 'Start a case on separate devices'

export const shows = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

export async function checkAccessible(page: Page, name: string): Promise<void> {
  const window = page.viewportSize()
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  // axe counts controls under a bar as too small, although one can scroll to them.
  if (window) await page.setViewportSize({ width: window.width, height: height + 1 })
  await transitionsEnd(page)
  const violations = await violationsOn(page)
  if (window) await page.setViewportSize(window)
  expect(violations.map((violation) => [name, ...violation])).toEqual([])
}

/** Less than half as long as its readable source, which each page would have to get. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const RULES: axe.RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
}

/**
 * The rules that the page and its frames break, each with the first element that does. Axe's own runner
 * for Playwright takes five times as long: it loads axe for each run and opens a page to add up results.
 */
async function violationsOn(
  page: Page,
): Promise<readonly (readonly [string, string | undefined])[]> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(AXE)
  }
  const run = `axe.run(${JSON.stringify(RULES)}).then((results) => results.violations)`
  const violations = await page.evaluate<readonly axe.Result[]>(run)
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html])
}

/** In every run the dark scheme, as other tests check the light one; in the full tier both. */
const SCHEMES = (['dark', 'light'] as const).slice(0, timesInTier({ quick: 1, full: 2 }))

/** Checks a card in each scheme; it is a light one again afterwards. */
export async function checkInEachScheme(page: Page, name: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    // A colour that is still changing has no contrast to measure.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await checkAccessible(page, `${name}, ${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

type Look = readonly [width: number, colorScheme: 'dark' | 'light']

/** Draws and checks a page at widths in pixels and in schemes: it never scrolls sideways. */
export async function checkLooks(page: Page, name: string, looks: readonly Look[]): Promise<void> {
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await look(page, `${name}-${width}-${colorScheme}`)
    await checkAccessible(page, `${name}-${width}-${colorScheme}`)
    const whole = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(whole).toBeLessThanOrEqual(width)
  }
}

/** Axe measures the colours of this moment: halfway between two themes none has its contrast. */
function transitionsEnd(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
    await frame()
    const running = document.getAnimations().filter((one) => one instanceof CSSTransition)
    await Promise.allSettled(running.map(({ finished }) => finished))
    await frame()
  })
}

/** Each card of the clean journey, by its heading, and what the customer does with it. */
export const CARDS: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['Here is who we are', (page) => press(page, 'I understand')],
  ['Can you apply?', (page) => answerYesToAll(page)],
  ['How long do you want to repay?', (page) => chooseTerm(page)],
  ['Shall we email you this estimate?', (page) => press(page, 'No, thanks')],
  ['About you', (page) => fillDetails(page)],
  ['Would any support help you?', (page) => chooseNoSupport(page)],
  ['May lenders check your credit file?', (page) => press(page, 'Yes, they may search')],
  ['Check this before we send it', (page) => press(page, 'Confirm and send')],
  ['will lend to you', (page) => press(page, 'Accept this offer')],
]

/** What the page shows once the offer is accepted and the case has ended. */
export const FINISHED = 'You accepted the offer from'

async function answerYesToAll(page: Page): Promise<void> {
  for (const yes of await page.getByRole('radio', { name: 'Yes' }).all()) await yes.check()
  await press(page, 'Continue')
}

async function chooseTerm(page: Page): Promise<void> {
  await page.getByRole('radio', { name: '10 years' }).check()
  await page.getByText('£7,975.20').waitFor()
  await press(page, 'Continue with 10 years')
}

async function chooseNoSupport(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'None of these' }).check()
  await press(page, 'Save and continue')
}

/** Answers the first part of the details. */
export async function fillAboutYou(page: Page): Promise<void> {
  await page.getByLabel('Full name').fill('Sarah Jones')
  for (const [part, value] of [
    ['Day', '2'],
    ['Month', '3'],
    ['Year', '1984'],
  ] as const) {
    await page.getByLabel(part, { exact: true }).fill(value)
  }
  await press(page, 'Continue')
}

async function fillDetails(page: Page): Promise<void> {
  await fillParts(page)
  await press(page, 'These are right. Save them')
}

/** Answers the parts of the details, and stays at the page that checks them. */
export async function fillParts(page: Page): Promise<void> {
  await fillAboutYou(page)
  await shows(page, 'Where do you live?')
  await page.getByLabel('Postcode').fill('SW1A 1AA')
  await press(page, 'Type the address instead')
  await page.getByLabel('Address line 1').fill('1 High Street')
  await page.getByLabel('Town or city').fill('London')
  await press(page, 'Continue')
  await shows(page, 'Your work and money')
  await page.getByRole('radio', { name: 'Employed', exact: true }).check()
  await page.getByLabel('Income in a year').fill('42000')
  await page.getByLabel('What you spend in a month').fill('1400')
  await press(page, 'Check your answers')
  await shows(page, 'Check your answers')
}
