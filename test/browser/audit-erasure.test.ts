import type { Page } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { Journey, REFERENCE_SENTENCE, walk } from '../../apps/broker/journeys/journey.fixture.ts'
import { recordsOf, request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { scriptedNarrator } from '../../apps/broker/narrator/index.ts'
import { DESK, openAudit, revealOn } from './audit-page.fixture.ts'
import { noChromium, openPage, sharedChromium } from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'
import { servePages } from './pages-server.fixture.ts'

const OPERATOR_TOKEN = 'open-sesame-said-the-operator-of-it'

/** The audit page of a case on a server that has an operator. */
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

/** Signs the browser in as the start page does. */
async function signIn(page: Page): Promise<void> {
  const status = await page.evaluate(async (token) => {
    const body = JSON.stringify({ token, purpose: 'keep' })
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/token', { method: 'POST', headers, body })).status
  }, OPERATOR_TOKEN)
  expect(status).toBe(200)
}

/** The personal data of the customer in the records of a finished case. */
const PERSONAL = /Sarah|Jones|sarah@|0?7700 ?900|1984-|"Employed"|Kingsmere|oh seven/i

test.skipIf(noChromium)(
  '[L4] a case is erased on its audit page while its data is revealed there, with a reason and after a warning',
  async () => {
    const { page, faults, broker, journey } = await openedAudit()
    await revealOn(page)
    await expect.poll(() => page.content()).toMatch(PERSONAL)
    await page.getByRole('button', { name: 'Erase this person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase this person for ever?' })
    await expect.poll(() => dialog.textContent()).toContain('Nobody can undo this')
    await checkAccessible(page, 'the erasure, asked')
    await dialog.getByRole('button', { name: 'Erase for ever' }).click()
    await expect.poll(() => dialog.textContent()).toContain('Enter the reason')
    expect(await recordsOf(broker.log, 'throughline-erasures')).toEqual([])
    const open = await Promise.all(
      (['customer', 'installer'] as const).map((side) => openSide(side, { broker, journey })),
    )
    await dialog.getByLabel('Why is the person erased?').fill('A letter of 3 March')
    await dialog.getByRole('button', { name: 'Erase for ever' }).click()
    await expect.poll(() => dialog.textContent()).toContain('Only an operator may do this')
    await signIn(page)
    await dialog.getByRole('button', { name: 'Erase for ever' }).click()
    const status = page.getByRole('region', { name: 'Erasure' }).getByRole('status')
    await expect.poll(() => status.textContent()).toMatch(/^Erased on .+: A letter of 3 March$/)
    await expect.poll(() => page.content()).not.toMatch(PERSONAL)
    const reveal = page.getByRole('button', { name: 'Reveal personal data' })
    await expect.poll(() => reveal.count()).toBe(0)
    await checkAccessible(page, 'the erasure, done')
    await page.reload()
    await status.waitFor()
    expect(await page.content()).not.toMatch(PERSONAL)
    expect(faults).toEqual([])
    const stored = JSON.stringify(await recordsOf(broker.log, journey.sessionId))
    expect(stored).not.toMatch(PERSONAL)
    for (const opened of open) {
      await expect
        .poll(() => opened.page.getByRole('heading', { level: 1 }).textContent())
        .toMatch(/^This (application|case) was erased$/)
      expect(await opened.page.content()).not.toMatch(PERSONAL)
      await checkAccessible(opened.page, 'an erased case')
      await opened.page.reload()
      await opened.page.getByRole('heading', { name: /was erased$/ }).waitFor()
      expect(opened.faults).toEqual([])
    }
  },
)

/** The page of a side, once it shows the case. */
async function openSide(
  side: 'customer' | 'installer',
  { broker, journey }: Pick<Awaited<ReturnType<typeof openedAudit>>, 'broker' | 'journey'>,
) {
  const opened = await openPage(await sharedChromium(), DESK)
  const token = journey.tokens[side]
  await opened.page.goto(`${broker.url}/${side}/${journey.sessionId}#token=${token}`)
  const shown = side === 'customer' ? /Harbour Bank/ : /\w{3}/
  await expect.poll(() => opened.page.getByRole('main').textContent()).toMatch(shown)
  return opened
}
