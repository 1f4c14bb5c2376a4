import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpPanel } from '../apps/broker/lenders/gateway/index.ts'
import { builtInPanel } from '../apps/broker/lenders/index.ts'
import { CONFIRM, LenderCase } from './lender-case.fixture.ts'
import { launchLender } from './lender-process.fixture.ts'
import type { LenderProcess } from './lender-process.fixture.ts'
import { testBroker } from '../apps/broker/journeys/test-broker.fixture.ts'

const FIRST = 'Harbour Bank'
/** Two attempts that are never answered fit, and the pause between them. */
const SHORT_MS = 1_600
const AMPLE_MS = 20_000

/** Starting a lender takes its time on a busy machine. */
const PROCESS_MS = 60_000

let lender: LenderProcess

beforeAll(async () => {
  lender = await launchLender()
}, PROCESS_MS)

afterAll(() => lender.end())

async function brokerWith(budgetMs: number): Promise<string> {
  const { lenders } = builtInPanel
  const panel = httpPanel({ baseUrl: lender.url, lenders, budgetMs })
  const server = await testBroker({ panel })
  return server.url
}

/** Submits an application to a first lender with a fault; the others decide by the figures. */
async function submitTo(fault: object, budgetMs = AMPLE_MS) {
  await lender.suffer({ lender: FIRST, ...fault })
  const someone = await LenderCase.ready(await brokerWith(budgetMs))
  await someone.turn('confirm', CONFIRM)
  const decisions = await lender.decisions()
  return { someone, decisions: decisions.filter(({ brokerCaseId }) => brokerCaseId === someone.id) }
}

test.each([
  ['is slow', { kind: 'slow', delayMs: 800 }, 1],
  ['fails once', { kind: 'fail', times: 1 }, 1],
  ['cuts its answer off once', { kind: 'cut', times: 1 }, 2],
])(
  '[B058] a first lender that %s is still the one that decides',
  async (_name, fault, requests) => {
    const { someone, decisions } = await submitTo(fault)
    expect(await someone.state()).toMatchObject({
      status: 'selected',
      waterfall: { steps: [{ lender: FIRST, outcome: { kind: 'approved_as_requested' } }] },
    })
    expect(decisions).toMatchObject([{ lender: FIRST, requests }])
  },
  PROCESS_MS,
)

const ELSEWHERE = {
  kind: 'approved_with_counter',
  reason: 'HIGHER_APR',
  offer: { lender: 'Meridian Bank' },
}

test.each([
  ['always fails', { kind: 'fail', status: 503 }, AMPLE_MS, 'STATUS_503'],
  ['is always busy', { kind: 'fail', status: 429 }, AMPLE_MS, 'STATUS_429'],
  ['talks nonsense', { kind: 'nonsense' }, AMPLE_MS, 'MALFORMED_ANSWER: decision invalid_union'],
  ['always hangs up', { kind: 'cut' }, AMPLE_MS, 'NETWORK_ERROR: UND_ERR_SOCKET'],
  ['takes 70 s', { kind: 'slow', delayMs: 70_000 }, SHORT_MS, 'TIMEOUT'],
])(
  '[B058] a first lender that %s is unavailable on record, and the next is asked',
  async (...row) => {
    const [, fault, budgetMs, reason] = row
    const { someone, decisions } = await submitTo(fault, budgetMs)
    expect(await someone.state()).toMatchObject({
      status: 'awaiting_counter_decision',
      waterfall: {
        steps: [
          { lender: FIRST, outcome: { kind: 'unavailable', reason } },
          { lender: 'Meridian Bank', outcome: ELSEWHERE },
        ],
      },
    })
    expect(JSON.stringify(await someone.state('customer'))).not.toContain(reason)
    const keys = decisions.map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  },
  PROCESS_MS,
)
