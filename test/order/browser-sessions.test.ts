import { expect, test } from 'vitest'
import { Journey, caseAfter, offerSeed } from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { refusingLog } from '../../src/log/refusing-log.fixture.ts'
import { ActedCase, checkRecorded, openingsIn } from './acted-case.fixture.ts'
import { CookieBrowser } from './cookie-browser.fixture.ts'
import { memoryLog, recordsOf } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

test('[S12] a caller with a token in a header has no browser session, cookies or not', async () => {
  const broker = await testBroker()
  const journey = await Journey.start(broker)
  const headers = { cookie: `browser-of-throughline=${crypto.randomUUID()}` }
  const answered = await request(`${broker.url}/api/threads/${journey.sessionId}/events`, {
    token: journey.tokens.customer,
    headers,
    body: { events: [{ type: 'record_customer_contact', data: { lastName: 'Jones' } }] },
  })
  expect(answered.status).toBe(200)
  const records = await recordsOf(broker.log, journey.sessionId)
  expect(records.filter(({ origin }) => origin.actor !== undefined)).toEqual([])
})

test('[S12] a cookie that is not one of ours is replaced', async () => {
  const acted = new ActedCase(await Journey.start(await testBroker()))
  const browser = new CookieBrowser(acted.journey.broker.url)
  browser.cookies.set('browser-of-throughline', 'the customer')
  await acted.open(browser, 'installer')
  expect(browser.session).toMatch(/^[\da-f-]{36}$/)
  await checkRecorded(acted, 'a foreign cookie')
})

test('[S12] a page that lost its browser session acts under a new one', async () => {
  const acted = new ActedCase(await Journey.start(await testBroker()))
  const browser = new CookieBrowser(acted.journey.broker.url)
  await acted.open(browser, 'customer')
  const before = browser.session
  browser.cookies.delete('browser-of-throughline')
  await acted.click(browser, 'customer')
  expect(browser.session).not.toBe(before)
  await checkRecorded(acted, 'a lost cookie')
})

test('[S12] the browser session outlives the links of many cases', async () => {
  const broker = await testBroker()
  const browser = new CookieBrowser(broker.url)
  const sessions = new Set<string>()
  for (let count = 0; count < 35; count++) {
    const acted = new ActedCase(await Journey.start(broker))
    await acted.open(browser, 'installer')
    sessions.add(browser.session)
  }
  expect(sessions.size).toBe(1)
})

test('[S12] an opened link moves the head, and the page’s next click may expect it', async () => {
  const acted = new ActedCase(await Journey.start(await testBroker()))
  const { sessionId } = acted.journey
  const browser = new CookieBrowser(acted.journey.broker.url)
  await acted.open(browser, 'customer')
  await acted.open(new CookieBrowser(acted.journey.broker.url), 'installer')
  const role = 'customer'
  const { body: read } = await browser.ask(`/api/threads/${sessionId}/events`, { role })
  const events = [{ type: 'record_customer_contact', data: { lastName: 'Jones' } }]
  const body = { events, expectedVersion: read.head }
  const answered = await browser.ask(`/api/threads/${sessionId}/events`, { role, body })
  expect([answered.status, read.head, answered.body.head]).toEqual([200, 2, 3])
})

test('[S12] a link that opens before its case is back is recorded once the seed has brought it', async () => {
  const journey = await caseAfter(await testBroker())
  const seed = journey.seed ?? ''
  journey.broker = await testBroker()
  const acted = new ActedCase(journey)
  const browser = new CookieBrowser(journey.broker.url)
  await acted.open(browser, 'customer')
  expect(await acted.records()).toEqual([])
  const path = `/api/session/${journey.sessionId}/seed`
  const { body } = await browser.ask(path, { role: 'customer', body: { seed } })
  expect(body.hydrated).toBe(true)
  const records = await acted.records()
  expect(records[0]?.type).toBe('case_hydrated')
  expect(openingsIn(records)).toEqual([...acted.opened])
  await offerSeed(journey, seed)
  expect(openingsIn(await acted.records())).toHaveLength(1)
})

test('[S12] a link whose opening cannot be recorded does not open; a browser that is known gets in', async () => {
  const memory = memoryLog()
  let disk: 'room' | 'full' = 'room'
  const broker = await testBroker({
    log: refusingLog(memory, () => disk === 'full', 'storage_full'),
  })
  const { tokens } = await Journey.start(broker)
  const [known, other] = [new CookieBrowser(broker.url), new CookieBrowser(broker.url)]
  await known.open(tokens.customer)
  disk = 'full'
  expect((await known.open(tokens.customer)).status).toBe(200)
  expect((await other.open(tokens.customer)).status).toBe(507)
  expect([...other.cookies]).toEqual([])
})

test('[S12] a browser that only keeps tokens has opened nothing; each page that it enters is recorded once', async () => {
  const acted = new ActedCase(await Journey.start(await testBroker()))
  const { broker, tokens } = acted.journey
  const browser = new CookieBrowser(broker.url)
  for (const token of Object.values(tokens)) await browser.keep(token)
  expect(await checkRecorded(acted, 'kept')).toBe(0)
  expect((await acted.audit()).anomalies).toEqual([])
  for (const role of ['installer', 'customer', 'installer', 'customer'] as const) {
    await acted.enter(browser, role)
  }
  await acted.open(browser, 'customer')
  expect(await checkRecorded(acted, 'entered')).toBe(2)
  expect((await acted.audit()).anomalies.map(({ code }) => code)).toContain('shared_browser')
})

test('[S12] a caller without a cookie of a page cannot record its opening, and reading records none', async () => {
  const acted = new ActedCase(await Journey.start(await testBroker()))
  const { broker, sessionId, tokens } = acted.journey
  const path = `/api/threads/${sessionId}`
  const browser = new CookieBrowser(broker.url)
  expect((await browser.ask(`${path}/opened`, { role: 'customer', body: {} })).status).toBe(401)
  await browser.keep(tokens.customer)
  expect((await browser.ask(`${path}/opened`, { role: 'installer', body: {} })).status).toBe(401)
  expect((await browser.ask(`${path}/events`, { role: 'customer' })).status).toBe(200)
  const bearer = await request(`${broker.url}${path}/opened`, { token: tokens.customer, body: {} })
  expect(bearer.status).toBe(200)
  expect(await checkRecorded(acted, 'not entered')).toBe(0)
})

test('[S12] the purpose of an exchange is "open" or "keep"', async () => {
  const acted = new ActedCase(await Journey.start(await testBroker()))
  const { broker, tokens } = acted.journey
  const body = { token: tokens.customer, purpose: 'look' }
  const { status } = await request(`${broker.url}/api/token`, { body })
  expect(status).toBe(400)
  expect(await checkRecorded(acted, 'an unknown purpose')).toBe(0)
})
