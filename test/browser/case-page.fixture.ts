import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { Journey, caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import type { ServedBroker } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { PHONE, TABLET, look, openPage } from './chromium.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { settled } from './customer-page.fixture.ts'
import { CARDS, checkAccessible, shows } from './journey-steps.fixture.ts'

export type Scenario = 'clean' | 'counter' | 'decline'

export interface CasePage {
  readonly journey: Journey
  readonly page: Page
  readonly context: BrowserContext
  readonly faults: readonly string[]
}

/** A customer's phone that opens the case at one of its cards, the ones before it answered. */
export async function openAtCard(
  { broker, browser }: { readonly broker: ServedBroker; readonly browser: Browser },
  card: number,
  scenario: Scenario = 'clean',
): Promise<CasePage> {
  const journey = await caseAfter(broker, card + 1, scenario)
  const { page, context, faults } = await openPage(browser, PHONE)
  await page.goto(`${broker.url}/customer/${journey.sessionId}#token=${journey.tokens.customer}`)
  const heading = CARDS[card]?.[0]
  if (heading !== undefined) await shows(page, heading)
  await settled(page)
  return { journey, page, context, faults }
}

/** Goes through the cards from the first to before the second by pressing what a customer presses. */
export async function walkCards(page: Page, from: number, to: number): Promise<void> {
  for (const [heading, act] of CARDS.slice(from, to)) {
    await shows(page, heading)
    // A reply stands above the card: while it grows, a press may miss.
    await settled(page)
    await act(page)
  }
}

const LOOKS = [
  { device: 'phone', viewport: PHONE, colorScheme: 'light' },
  { device: 'phone', viewport: PHONE, colorScheme: 'dark' },
  { device: 'tablet', viewport: TABLET, colorScheme: 'light' },
  { device: 'tablet', viewport: TABLET, colorScheme: 'dark' },
] as const

/**
 * Checks what the page looks like and keeps pictures of it, in every run with the first of the looks, in
 * the full tier with all; it is a phone's page again afterwards.
 */
export function inspect(page: Page, name: string): Promise<void> {
  return inspectIn(LOOKS.slice(0, timesInTier({ quick: 1, full: LOOKS.length })), page, name)
}

/** The same for a card that the clean journey checks with the first of the looks. */
export function inspectFurther(page: Page, name: string): Promise<void> {
  return inspectIn(LOOKS.slice(1, timesInTier({ quick: 1, full: LOOKS.length })), page, name)
}

type Look = (typeof LOOKS)[number]

async function inspectIn(looks: readonly Look[], page: Page, name: string): Promise<void> {
  for (const { device, viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport)
    // A colour that is still changing has no contrast to measure.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await checkAccessible(page, `${name}, ${device}, ${colorScheme}`)
    await look(page, `${name}-${device}-${colorScheme}`)
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([name, device, beyond]).toEqual([name, device, 0])
  }
  await page.setViewportSize(PHONE)
}
