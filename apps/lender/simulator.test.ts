import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { applicationOf } from '../broker/lenders/application.ts'
import { httpPanel } from '../broker/lenders/gateway/index.ts'
import { DEMO_SCENARIOS, builtInPanel, quote } from '../broker/lenders/index.ts'
import type { DemoScenario } from '../broker/lenders/index.ts'
import { means, readyCase } from '../broker/lenders/ready-case.fixture.ts'
import { runWaterfall } from '../broker/lenders/whole-waterfall.fixture.ts'
import type { Fault } from './faults.ts'
import { serveLender } from './serve-lender.ts'

const AT = '2026-03-02T11:00:00.000Z'
const EVERY_TIME = { times: Number.MAX_SAFE_INTEGER }
const { lenders } = builtInPanel
const BODY = {
  lender: 'Harbour Bank',
  application: applicationOf(readyCase(), {
    applicationId: 'a',
    productCode: 'IBC',
    submittedAt: AT,
  }),
}

async function served(scenario: DemoScenario = 'auto', faults: readonly Fault[] = []) {
  const lender = await serveLender({ port: 0, scenario, faults })
  onTestFinished(() => lender.close())
  const panel = httpPanel({ baseUrl: lender.url, lenders })
  const post = (key: string | undefined, body: unknown = BODY) =>
    fetch(`${lender.url}/decisions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    })
  const told = async () => {
    const { decisions } = (await (await fetch(`${lender.url}/decisions`)).json()) as {
      decisions: { key: string; requests: number }[]
    }
    return decisions
  }
  return { url: lender.url, panel, post, told }
}

function waterfall(panel: typeof builtInPanel, over: Partial<Parameters<typeof runWaterfall>[0]>) {
  return runWaterfall({
    caseState: readyCase(),
    scenario: 'auto',
    panel,
    key: 'run-1',
    now: AT,
    stillWanted: async () => true,
    ...over,
  })
}

test('over HTTP the lenders decide any case as they do in the process', async () => {
  const { panel } = await served()
  const loan = fc.record({
    amount: fc.integer({ min: 500, max: 55_000 }),
    term: fc.integer({ min: 36, max: 180 }),
    income: fc.integer({ min: 0, max: 90_000 }),
    outgoings: fc.integer({ min: 0, max: 3_000 }),
    key: fc.uuid(),
  })
  const property = fc.asyncProperty(loan, async ({ amount, term, income, outgoings, key }) => {
    const provisionalQuote = quote(amount, term, AT)
    const caseState = readyCase({ provisionalQuote, financial: means(income, outgoings) })
    const over = await waterfall(panel, { caseState, key })
    expect(over).toEqual(await waterfall(builtInPanel, { caseState, key }))
  })
  await fc.assert(property, { numRuns: 60 })
})

test.each(DEMO_SCENARIOS)(
  'a lender told to play %s plays it, whatever the case says',
  async (scenario) => {
    const { panel } = await served(scenario)
    expect(await waterfall(panel, {})).toEqual(await waterfall(builtInPanel, { scenario }))
  },
)

test('[S3] a key is decided once, however often it comes, and not for another application', async () => {
  const { post, told } = await served()
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('one')))
  const bodies = await Promise.all(answers.map((answer) => answer.text()))
  expect(new Set(bodies).size).toBe(1)
  expect(await told()).toMatchObject([{ key: 'one', requests: 20 }])
  const other = { ...BODY, application: { ...BODY.application, retailerName: 'Another' } }
  expect((await post('one', other)).status).toBe(422)
  expect((await post('two', other)).status).toBe(200)
})

test('the report on decisions holds no data of a person', async () => {
  const { post, url } = await served()
  await post('one')
  expect(await (await fetch(`${url}/decisions`)).text()).not.toMatch(/sarah|1984|SN1|42000/i)
})

test.each([
  ['without a key', undefined, BODY, 400],
  ['to an unknown lender', 'k', { ...BODY, lender: 'No Bank' }, 400],
  ['with something beside it', 'k', { ...BODY, scenario: 'clean' }, 400],
  ['for nothing', 'k', { ...BODY, application: {} }, 400],
])('an application %s is not decided', async (...row) => {
  const [, key, body, status] = row
  const { post, told } = await served()
  expect((await post(key, body)).status).toBe(status)
  expect(await told()).toEqual([])
})

test.each<Fault>([
  { kind: 'slow', delayMs: 300, times: 1 },
  { kind: 'cut', times: 1 },
  { kind: 'fail', status: 500, times: 1 },
])('[B058] a lender that has the fault "$kind" once still decides, once', async (fault) => {
  const { panel, told } = await served('auto', [fault])
  expect(await waterfall(panel, {})).toEqual(await waterfall(builtInPanel, {}))
  expect(await told()).toHaveLength(1)
})

test('a fault befalls the lender it is meant for, until it is taken away', async () => {
  const faults: Fault[] = [{ kind: 'nonsense', lender: 'Harbour Bank', ...EVERY_TIME }]
  const { panel, url } = await served('clean', faults)
  const { steps } = await waterfall(panel, {})
  expect(steps.map(({ outcome }) => outcome)).toMatchObject([
    { kind: 'unavailable', reason: 'MALFORMED_ANSWER: decision invalid_union' },
    { kind: 'declined' },
    { kind: 'declined' },
  ])
  const put = (list: unknown) =>
    fetch(`${url}/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(list),
    })
  expect((await put([{ kind: 'unheard' }])).status).toBe(400)
  expect((await put([])).status).toBe(204)
  expect((await waterfall(panel, {})).steps).toMatchObject([
    { outcome: { kind: 'approved_as_requested' } },
  ])
})
