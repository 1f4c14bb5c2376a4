import type { Page } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { Journey, REFERENCE_SENTENCE, walk } from '../../apps/broker/journeys/journey.fixture.ts'
import { recordsOf, request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { scriptedNarrator } from '../../apps/broker/narrator/index.ts'
import { openAudit } from './audit-page.fixture.ts'
import { look, noChromium, sharedChromium } from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'
import { servePages } from './pages-server.fixture.ts'

const OPERATOR_TOKEN = 'open-sesame-said-the-operator-of-it'

async function openedAudit() {
  const model = scriptedNarrator({ chunkDelayMs: 0 })
  const folder = inject('pages')
  const broker = await servePages({ model, folder, operatorToken: OPERATOR_TOKEN })
  onTestFinished(() => broker.close())
  const body = { demoScenario: 'clean' }
  const started = await request(`${broker.url}/api/session`, { token: OPERATOR_TOKEN, body })
  const journey = new Journey(broker, started.body)
  await journey.say('installer', REFERENCE_SENTENCE)
  await walk(journey)
  const browser = await sharedChromium()
  // The fixture knows a site by its pages; this one holds no model back.
  const site = { broker, browser } as unknown as Parameters<typeof openAudit>[0]
  return { ...(await openAudit(site, journey)), broker, journey }
}

async function signIn(page: Page): Promise<void> {
  const status = await page.evaluate(async (token) => {
    const body = JSON.stringify({ token, purpose: 'keep' })
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/token', { method: 'POST', headers, body })).status
  }, OPERATOR_TOKEN)
  expect(status).toBe(200)
}

test.skipIf(noChromium)(
  'an operator forks a case, does otherwise in the fork, and sees both side by side; the case stays as it was',
  async () => {
    const { page, faults, broker, journey, records } = await openedAudit()
    const before = JSON.stringify(await recordsOf(broker.log, journey.sessionId))
    const chosen = records.find(({ type }) => type === 'capture_consent')
    await page.goto(`${page.url().split('?')[0]}?ev=${(chosen?.seq ?? 0) - 1}&tab=what-if`)
    await page.getByRole('button', { name: /^Fork after record/ }).click()
    await page.getByText('Only an operator may fork a thread').waitFor()
    await signIn(page)
    await page.getByRole('button', { name: /^Fork after record/ }).click()
    await page
      .getByText('have the hashes of the thread')
      .or(page.getByText('were opened from'))
      .waitFor()
    const type = page.getByLabel('Type')
    await expect.poll(() => type.inputValue()).toBe('capture_consent')
    await page.getByLabel('Data, as JSON').fill('{')
    await page.getByRole('button', { name: 'Propose it in the fork' }).click()
    await page.getByText('The data is not JSON.').waitFor()
    await type.fill('withdraw')
    await page.getByLabel('Data, as JSON').fill('{}')
    await page.getByRole('button', { name: 'Propose it in the fork' }).click()
    await page.getByText('Done. What followed is below.').waitFor()
    const rows = page.getByRole('region', { name: 'Records side by side' })
    await rows
      .getByText(/withdr/i)
      .first()
      .waitFor()
    await page.getByText('State, B against A').waitFor()
    for (const [width, colorScheme] of [
      [360, 'dark'],
      [1440, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await look(page, `audit-what-if-${width}-${colorScheme}`)
      await checkAccessible(page, `audit-what-if-${width}`)
    }
    await page.getByRole('button', { name: 'End this fork' }).click()
    await page.getByRole('button', { name: /^Fork after record/ }).waitFor()
    expect(JSON.stringify(await recordsOf(broker.log, journey.sessionId))).toBe(before)
    expect(faults.filter((fault) => !/40[134]/.test(fault))).toEqual([])
  },
)
