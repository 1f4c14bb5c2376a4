import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  Journey,
  REFERENCE_SENTENCE,
  acceptOffer,
  walk,
} from '../../apps/broker/journeys/journey.fixture.ts'
import type { LogRecord } from '../../src/log/index.ts'
import type { BrokerSite } from './broker-site.fixture.ts'
import { openPage } from './chromium.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

export const DESK = { width: 1_280, height: 900 }

/** A case from the installer's sentence to its end, and one thing that was refused after it. */
export async function finishedCase({ broker }: BrokerSite): Promise<Journey> {
  const journey = await Journey.start(broker)
  await journey.say('installer', REFERENCE_SENTENCE)
  await walk(journey)
  await acceptOffer(journey)
  await journey.click(['withdraw', {}])
  return journey
}

export interface AuditedCase {
  readonly page: Page
  readonly faults: readonly string[]
  readonly records: readonly LogRecord[]
  /** The page at an address of its own, such as `?view=all`. */
  readonly goTo: (query: string) => Promise<void>
}

/** The audit page of a case in a browser of its own, once all its records are there. */
export async function openAudit(
  { broker, browser }: BrokerSite,
  journey: Journey,
  viewport = DESK,
): Promise<AuditedCase> {
  const { page, faults } = await openPage(browser, viewport)
  const address = `${broker.url}/audit/${journey.sessionId}`
  await page.goto(`${address}#token=${journey.tokens.auditor}`)
  let records: readonly LogRecord[] = []
  // The page's opening adds a `link_opened` record, which comes while the page loads.
  const allThere = async (): Promise<boolean> => {
    records = await recordsOf(broker.log, journey.sessionId)
    return page.getByLabel(`Every record (${records.length})`).isVisible()
  }
  await expect.poll(allThere).toBe(true)
  return {
    page,
    faults,
    records,
    goTo: async (query) => {
      await page.goto(`${address}${query}`)
      await expect.poll(allThere).toBe(true)
    },
  }
}

/** The region that states whether personal data is shown. */
export const personalDataOn = (page: Page) => page.getByRole('region', { name: 'Personal data' })

/** Has an audit page show personal data until it is loaded anew. */
export async function revealOn(page: Page): Promise<void> {
  const strip = personalDataOn(page)
  await strip.getByRole('button', { name: 'Reveal personal data' }).click()
  await strip.getByLabel('Why do you need to see it?').fill('A complaint')
  await strip.getByRole('button', { name: 'Record and reveal' }).click()
  await strip.getByRole('link', { name: /^Revealed in record/ }).waitFor()
}

/** The rows of the timeline. */
export const rowsOn = (page: Page) =>
  page.getByRole('region', { name: /^Timeline/ }).locator('ol > li')

/** The row of one record. */
export function rowOf(page: Page, seq: number) {
  const link = page.getByRole('link', { name: `Record ${seq}: ` })
  return rowsOn(page).filter({ has: link })
}
