import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptOffer, caseAfter, walk } from '../apps/broker/journeys/journey.fixture.ts'
import type { ServedBroker } from '../apps/broker/journeys/served-broker.fixture.ts'
import { ConfigurationError } from '../apps/configuration-error.ts'
import { readConfiguration } from '../apps/configuration.ts'
import { CONFIRM, LenderCase } from './lender-case.fixture.ts'
import { failToStartLender, launchLender, startLender } from './lender-process.fixture.ts'
import type { LenderProcess } from './lender-process.fixture.ts'
import { emptyFolder, startServer } from './server-process.fixture.ts'
import type { ServerProcess } from './server-process.fixture.ts'
import { timesInTier } from './tier.fixture.ts'

/** Starting processes takes its time on a busy machine. */
const POLL_MS = 10_000
const PROCESSES_MS = 60_000

/** They outlive a test: the first lender declines, the second counters, the third declines. */
let lender: LenderProcess
let settings: Readonly<Record<string, string>>
let server: ServerProcess

beforeAll(async () => {
  lender = await launchLender({ SCENARIO: 'counter' })
  settings = { DATA_DIR: await emptyFolder(), LENDER_BASE_URL: lender.url }
  server = await startServer(settings)
}, PROCESSES_MS)

afterAll(async () => {
  await server.end('SIGTERM')
  lender.end()
})

async function decisionsOn({ id }: LenderCase) {
  return (await lender.decisions()).filter(({ brokerCaseId }) => brokerCaseId === id)
}

async function decidedBy(someone: LenderCase, count: number): Promise<void> {
  while ((await decisionsOn(someone)).length < count) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Kills the server under a request, and starts it again with lenders that answer. */
async function crash(someone: LenderCase, cut: Promise<unknown>): Promise<void> {
  await server.end('SIGKILL')
  expect(await cut).toBe('cut')
  await lender.suffer()
  server = await startServer(settings)
  someone.url = server.url
}

const countOf = (records: readonly { readonly type: string }[], wanted: string) =>
  records.filter(({ type }) => type === wanted).length

test(
  '[B058] a whole journey with the lenders in another process asks each lender once',
  async () => {
    const approving = await startLender()
    const own = await startServer({
      DATA_DIR: await emptyFolder(),
      LENDER_BASE_URL: `${approving.url}/`,
    })
    const journey = await caseAfter({ url: own.url } as ServedBroker)
    await walk(journey)
    await acceptOffer(journey)
    expect(await journey.state()).toMatchObject({
      caseOutcome: { kind: 'selected' },
      waterfall: {
        acceptedOffer: { lender: 'Harbour Bank', aprPct: 9.15, monthlyPayment: 197.71 },
      },
    })
    expect(await approving.decisions()).toMatchObject([
      {
        lender: 'Harbour Bank',
        brokerCaseId: journey.sessionId,
        decision: 'approved',
        requests: 1,
      },
    ])
    await own.end('SIGTERM')
  },
  PROCESSES_MS,
)

test(
  '[B058] [B064] a counter-offer over HTTP is refused, and the last lender is asked once',
  async () => {
    const someone = await LenderCase.ready(server.url)
    await someone.turn('confirm', CONFIRM)
    expect(await someone.state()).toMatchObject({ status: 'awaiting_counter_decision' })
    await someone.turn('refuse', ['refuse_counter_offer', {}])
    expect(await someone.state()).toMatchObject({ status: 'declined' })
    const decisions = await decisionsOn(someone)
    expect(decisions.map((each) => [each.lender, each.decision, each.requests])).toEqual([
      ['Harbour Bank', 'declined', 1],
      ['Meridian Bank', 'counter_offer', 1],
      ['Steadfast Finance', 'declined', 1],
    ])
    expect(JSON.stringify(decisions.map(({ key }) => key))).not.toContain(someone.id)
  },
  PROCESSES_MS,
)

/** In every run the second lender, before whom the first has decided. */
const SLOW_ONES = ['Meridian Bank', 'Harbour Bank'].slice(0, timesInTier({ quick: 1, full: 2 }))

test.each(SLOW_ONES)(
  '[S3] [M7] killed while %s decides: after the start the same keys, and no second decision',
  async (slowOne) => {
    const someone = await LenderCase.ready(server.url)
    await lender.suffer({ kind: 'hang', lender: slowOne })
    const cut = someone.turn('confirm', CONFIRM).catch(() => 'cut')
    await decidedBy(someone, slowOne === 'Harbour Bank' ? 1 : 2)
    await crash(someone, cut)
    await expect
      .poll(() => someone.state(), { timeout: POLL_MS })
      .toMatchObject({ status: 'awaiting_counter_decision' })
    await someone.turn('confirm', CONFIRM)
    const decisions = await decisionsOn(someone)
    expect(decisions.map((each) => each.lender)).toEqual(['Harbour Bank', 'Meridian Bank'])
    const requests = (lender: string) => (lender === slowOne ? 2 : 1)
    for (const each of decisions) expect(each.requests).toBe(requests(each.lender))
    const records = await someone.records()
    expect(countOf(records, 'effect_requested')).toBe(2)
    expect(countOf(records, 'waterfall_recorded')).toBe(2)
  },
  PROCESSES_MS,
)

test(
  '[S3] an application that is sent again after a crash is the one that was sent before it',
  async () => {
    const someone = await LenderCase.ready(server.url)
    await lender.suffer({ kind: 'hang', lender: 'Harbour Bank' })
    const cut = someone.turn('confirm', CONFIRM).catch(() => 'cut')
    await decidedBy(someone, 1)
    await someone.click('customer', ['record_vulnerability_indicators', { indicators: [] }])
    await crash(someone, cut)
    await expect
      .poll(() => someone.state(), { timeout: POLL_MS })
      .toMatchObject({
        waterfall: { steps: [{ outcome: { kind: 'declined' } }, { lender: 'Meridian Bank' }] },
      })
  },
  PROCESSES_MS,
)

test(
  '[B058] who withdraws while a lender decides is passed on to no other',
  async () => {
    const someone = await LenderCase.ready(server.url)
    await lender.suffer({ kind: 'slow', delayMs: 700 })
    const turn = someone.turn('confirm', CONFIRM)
    await decidedBy(someone, 1)
    await someone.click('customer', ['withdraw', {}])
    await turn
    await lender.suffer()
    expect(await decisionsOn(someone)).toMatchObject([{ lender: 'Harbour Bank' }])
    expect(await someone.state()).toMatchObject({
      status: 'withdrawn',
      waterfall: { steps: [{ lender: 'Harbour Bank', outcome: { kind: 'declined' } }] },
    })
  },
  PROCESSES_MS,
)

test.each(['not an address', 'ftp://lender.example', 'http://127.0.0.1:1/?key=1'])(
  'LENDER_BASE_URL=%s is refused by name',
  async (value) => {
    const DATA_DIR = await emptyFolder()
    const reading = readConfiguration({ DATA_DIR, LENDER_BASE_URL: value })
    await expect(reading).rejects.toThrow(`LENDER_BASE_URL is "${value}": give an http`)
  },
)

test('a password in LENDER_BASE_URL is refused without repeating it', async () => {
  const LENDER_BASE_URL = 'http://user:CANARY@127.0.0.1:1'
  const reading = readConfiguration({ DATA_DIR: await emptyFolder(), LENDER_BASE_URL })
  const refused: unknown = await reading.catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ConfigurationError)
  expect(String(refused)).toMatch(/^ConfigurationError: LENDER_BASE_URL [^\n]*$/)
  expect(String(refused)).not.toContain('CANARY')
})

const UNFIT = [
  ['FAULTS', '[{"kind":"rain"}]'],
  ['PORT', 'many'],
].slice(0, timesInTier({ quick: 1, full: 2 }))

test.each(UNFIT)(
  'the simulator refuses %s=%s in one line that names it',
  async (name = '', value = '') => {
    const { code, said } = await failToStartLender({ [name]: value })
    expect(code).toBe(1)
    expect(said).toContain(name)
    expect(said.trim().split('\n')).toHaveLength(1)
  },
  PROCESSES_MS,
)
