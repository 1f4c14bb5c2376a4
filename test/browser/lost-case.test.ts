import { expect, inject, onTestFinished, test } from 'vitest'
import type { Page } from 'playwright-core'
import {
  CUSTOMER_STEPS,
  Journey,
  handOver,
  offerSeed,
} from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { scriptedNarrator } from '../../apps/broker/narrator/index.ts'
import { fullTest } from '../tier.fixture.ts'
import { DESK, rowsOn } from './audit-page.fixture.ts'
import { scriptedModel } from '../../src/models/index.ts'
import type { LanguageModel } from '../../src/models/index.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { inspect, walkCards } from './case-page.fixture.ts'
import { PHONE, TABLET, noChromium, openPage } from './chromium.fixture.ts'
import { ask, chooseHelp, closeTalk, composer, settled } from './customer-page.fixture.ts'
import { CARDS, FINISHED, shows } from './journey-steps.fixture.ts'
import { servePages } from './pages-server.fixture.ts'

const site = brokerSite()

/** A server that can be stopped and started again at its address, each time with an empty store. */
async function losingServer(model: LanguageModel = scriptedNarrator()) {
  const settings = { model, folder: inject('pages') }
  let server = await servePages(settings)
  const { url } = server
  onTestFinished(() => server.close())
  return {
    url,
    async restart(change: { readonly secret?: string } = {}): Promise<void> {
      await server.close()
      server = await servePages({ ...settings, port: Number(new URL(url).port), ...change })
    },
    log: () => server.log,
  }
}

async function newCase(server: {
  readonly url: string
  readonly log: () => Journey['broker']['log']
}) {
  const { body } = await request(`${server.url}/api/session`, { body: { demoScenario: 'clean' } })
  const nothing = () => Promise.resolve()
  const broker = { url: server.url, log: server.log(), settled: nothing, close: nothing }
  return new Journey(broker, body)
}

/** Hands a new case over and opens its customer's page. */
async function openCustomerPage(server: Parameters<typeof newCase>[0]) {
  const journey = await newCase(server)
  await handOver(journey)
  const { page, faults } = await openPage(site.browser, PHONE)
  await page.goto(`${server.url}/customer/${journey.sessionId}#token=${journey.tokens.customer}`)
  await shows(page, 'Here is who we are')
  await settled(page)
  return { journey, page, faults }
}

/** A reload would forget it. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(globalThis, { marked: true }))
const isMarked = (page: Page) => page.evaluate(() => 'marked' in globalThis)

test.skipIf(noChromium)(
  '[B051] [B053] an open page whose server lost the case gives it back and goes on without a reload',
  async () => {
    const server = await losingServer()
    const journey = await newCase(server)
    await handOver(journey)
    const { page, faults } = await openPage(site.browser, PHONE)
    await page.goto(`${server.url}/customer/${journey.sessionId}#token=${journey.tokens.customer}`)
    await walkCards(page, 0, 3)
    await shows(page, 'Shall we email you this estimate?')
    await ask(page, 'Are you a lender?')
    await settled(page)
    const said = await page.getByRole('log').getByRole('listitem').allInnerTexts()
    await composer(page).fill('One more question')
    await mark(page)
    await server.restart()
    await expect.poll(() => server.log().head(journey.sessionId)).toBeGreaterThan(0)
    await shows(page, 'Shall we email you this estimate?')
    await settled(page)
    expect(await composer(page).inputValue()).toBe('One more question')
    expect(await page.getByText('cannot find your application').count()).toBe(0)
    expect(await page.getByText('Reload the page').count()).toBe(0)
    expect(await page.getByRole('log').getByRole('listitem').allInnerTexts()).toEqual(said)
    await inspect(page, 'lost-case-goes-on')
    await closeTalk(page)
    await walkCards(page, 3, CARDS.length)
    await shows(page, FINISHED)
    expect([await isMarked(page), faults]).toEqual([true, []])
  },
)

test.skipIf(noChromium)(
  '[B067] a reply that was cut off is still shown as cut off after a cold start, and can be asked for again',
  async () => {
    const question = 'Are you a lender?'
    const [narrator, cutting] = [scriptedNarrator(), scriptedModel(() => ({ cut: 'We are a' }))]
    const model = scriptedModel(() => '')
    model.doStream = (call) => {
      const isAsked = JSON.stringify(call.prompt.at(-1)).includes(question)
      // Both are scripted models, and those are of one version.
      return ((isAsked ? cutting : narrator) as typeof model).doStream(call)
    }
    const server = await losingServer(model)
    const { journey, page } = await openCustomerPage(server)
    await ask(page, question)
    const interrupted = page.getByText('Interrupted before it was finished.')
    await page.getByText('What you did is recorded.').waitFor()
    const before = await page.getByRole('log').getByRole('listitem').allInnerTexts()
    expect(await interrupted.count()).toBeGreaterThan(0)
    await server.restart()
    await expect.poll(() => server.log().head(journey.sessionId)).toBeGreaterThan(0)
    await page.reload()
    await interrupted.first().waitFor()
    expect(await page.getByRole('log').getByRole('listitem').allInnerTexts()).toEqual(before)
    await page.getByText('The answer was interrupted. What you did is recorded.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await inspect(page, 'lost-case-cut-reply')
  },
)

fullTest.skipIf(noChromium)(
  '[B053] a page that was only opened can give its case back as well',
  async () => {
    const server = await losingServer()
    const journey = await newCase(server)
    await handOver(journey)
    const { page } = await openPage(site.browser, TABLET)
    const link = `/installer/${journey.sessionId}#token=${journey.tokens.installer}`
    await page.goto(`${server.url}${link}`)
    await expect.poll(() => page.url()).toContain('#seed=')
    await mark(page)
    await server.restart()
    await expect.poll(() => server.log().head(journey.sessionId)).toBeGreaterThan(0)
    await page.getByText('Sarah').first().waitFor()
    expect(await isMarked(page)).toBe(true)
  },
)

fullTest.skipIf(noChromium)(
  '[B053] the short address of “Save and come back” gives the case back too',
  async () => {
    const server = await losingServer()
    const { journey, page } = await openCustomerPage(server)
    await chooseHelp(page, 'Save and come back')
    const address = await page.getByLabel('The address to come back to').inputValue()
    expect(address).not.toContain('#')
    const context = page.context()
    await page.close()
    await server.restart()
    const again = await context.newPage()
    await again.goto(address)
    await shows(again, 'Here is who we are')
    expect(await server.log().head(journey.sessionId)).toBeGreaterThan(0)
  },
)

test.skipIf(noChromium)(
  'a page whose seed the server cannot read does not blame the link, and opens again once the server can',
  async () => {
    const server = await losingServer()
    const { page } = await openCustomerPage(server)
    await server.restart({ secret: 'another secret' })
    await shows(page, 'We cannot find your application')
    await page.getByText('Our service does not know it now.').waitFor()
    expect(await page.getByRole('link', { name: 'Go to the start' }).count()).toBe(0)
    expect(await page.getByText('expired').count()).toBe(0)
    await inspect(page, 'lost-case-cannot-be-opened')
    await server.restart()
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await shows(page, 'Here is who we are')
  },
)

fullTest.skipIf(noChromium)(
  '[B051] the audit page of a recovered case shows the content of its seed, and which messages were restated',
  async () => {
    const server = await losingServer()
    const journey = await newCase(server)
    await handOver(journey)
    for (const step of CUSTOMER_STEPS.slice(0, 4)) await step(journey)
    await server.restart()
    await offerSeed(journey, journey.seed ?? '')
    const { page, faults } = await openPage(site.browser, DESK)
    await page.goto(`${server.url}/audit/${journey.sessionId}#token=${journey.tokens.auditor}`)
    const recovery = rowsOn(page).filter({ hasText: 'brought back from its recovery seed' })
    await recovery.getByText('Disclosure shown: service status').waitFor()
    await recovery.getByText('The customer answered the four eligibility questions').waitFor()
    await rowsOn(page)
      .getByText(/^Said at .* The recovery wrote it/)
      .first()
      .waitFor()
    const times = await rowsOn(page).evaluateAll((rows) =>
      rows.map((row) => row.querySelector(':scope > time')?.getAttribute('datetime') ?? ''),
    )
    expect(times.length).toBeGreaterThan(2)
    expect(times).toEqual(times.toSorted())
    await inspect(page, 'recovered-audit')
    expect(faults).toEqual([])
  },
)
