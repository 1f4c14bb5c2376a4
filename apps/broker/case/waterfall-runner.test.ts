import { expect, test } from 'vitest'
import { builtInPanel } from '../lenders/index.ts'
import type { LenderPanel } from '../lenders/index.ts'
import type { EffectContext } from 'throughline'
import type { BrokerState } from './case-domain.ts'
import { given } from './given-case.fixture.ts'
import type { Act } from './given-case.fixture.ts'
import { CASE_IN, JOURNEY, REFUSE, upTo } from './journey.fixture.ts'
import { CASE_STATUSES } from './state.ts'
import { waterfallEffect } from './waterfall-effect.ts'
import { waterfallRunner } from './waterfall-runner.ts'

type Request = Pick<EffectContext<BrokerState>, 'state' | 'key' | 'input' | 'requestedAt'>

/** Runs the effect once; the runner reads the present state of the case from `stateNow`. */
async function run(request: Request, panel = builtInPanel, stateNow = () => request.state) {
  const { signal } = new AbortController()
  const now = async () => stateNow()
  return waterfallRunner(panel).run({ thread: 't1', ...request, attempt: 1, signal, now })
}

const requestedAt = Date.parse('2026-11-20T10:01:00.000Z')

function submitted(demoScenario: string) {
  const create: Act = { ...JOURNEY.create, data: { ...JOURNEY.create.data, demoScenario } }
  return given(create, ...upTo('submit').slice(1))
}

async function answered(thread: ReturnType<typeof given>) {
  const due = waterfallEffect.due(thread.state)
  if (!due) throw new Error('Cannot run: nothing is due')
  const outcome = await run({ state: thread.state, ...due, requestedAt })
  const after = thread.when({ by: 'system', ...outcome })
  expect(after.refusal).toBeUndefined()
  return after
}

/** Asks one lender after the other, until none is due. */
async function decided(thread: ReturnType<typeof given>): Promise<ReturnType<typeof given>> {
  const after = await answered(thread)
  return waterfallEffect.due(after.state) ? decided(after) : after
}

test.each(CASE_STATUSES)('[A074] due effects of a case in status %s', (status) => {
  const running = { submitting: 0, waterfall_running: 2 }
  const fromIndex = Object.entries(running).find(([name]) => name === status)?.[1]
  expect(waterfallEffect.due(given(...CASE_IN[status]).state)).toEqual(
    fromIndex === undefined
      ? undefined
      : { key: `case-1:waterfall:${fromIndex}`, input: { fromIndex } },
  )
})

test.each([
  ['auto', 'selected'],
  ['clean', 'selected'],
  ['counter', 'awaiting_counter_decision'],
  ['decline', 'declined'],
])('the scenario %s ends as %s', async (scenario, status) => {
  const after = await decided(submitted(scenario))
  expect(after.case.status).toBe(status)
  expect(waterfallEffect.due(after.state)).toBeUndefined()
})

test('[A076] a refused counter-offer asks the next lender, once', async () => {
  const countered = await decided(submitted('counter'))
  const after = await decided(countered.when(REFUSE))
  expect(after.case.status).toBe('declined')
  expect(after.case.waterfall?.steps.map(({ outcome }) => outcome.kind)).toEqual([
    'declined',
    'approved_with_counter',
    'declined',
  ])
})

test('[B063] each lender’s answer is recorded before the next one is asked', async () => {
  const first = await answered(submitted('decline'))
  expect(first.case).toMatchObject({
    status: 'waterfall_running',
    waterfall: { steps: [{ lender: 'Harbour Bank' }], exhausted: false },
  })
  const key = 'case-1:waterfall:1'
  expect(waterfallEffect.due(first.state)).toEqual({ key, input: { fromIndex: 1 } })
  const [step] = first.case.waterfall?.steps ?? []
  expect(step?.askedAt).toBe('2026-11-20T10:01:00.000Z')
  expect(step?.answeredAt).toBe(first.case.waterfall?.updatedAt)
  expect((await answered(first)).case.waterfall?.steps).toMatchObject([step, {}])
})

test('[A074] a repeated attempt sends the same request and gives the same answer', async () => {
  const { state } = submitted('counter')
  const due = waterfallEffect.due(state)
  const request = { state, key: '', input: {}, ...due, requestedAt }
  expect(await run(request)).toEqual(await run(request))
})

test('the waterfall refuses an input that names no lender', async () => {
  const { state } = submitted('auto')
  await expect(run({ state, key: 'k', input: { fromIndex: -1 }, requestedAt })).rejects.toThrow()
})

test('after a withdrawal no further lender is asked, and the answer under way is recorded', async () => {
  const thread = submitted('decline')
  const withdrawn = thread.when({ by: 'customer', type: 'withdraw', data: {} })
  const asked: number[] = []
  let stateNow = thread.state
  const panel: LenderPanel = {
    lenders: builtInPanel.lenders,
    async decide(index, application, call) {
      asked.push(index)
      stateNow = withdrawn.state
      return builtInPanel.decide(index, application, call)
    },
  }
  const request = { state: thread.state, key: 'k', input: { fromIndex: 0 }, requestedAt }
  const outcome = await run(request, panel, () => stateNow)
  const after = withdrawn.when({ by: 'system', ...outcome })
  expect([asked, after.refusal]).toEqual([[0], undefined])
  expect(after.case).toMatchObject({ status: 'withdrawn', waterfall: { steps: [{}] } })
  expect(waterfallEffect.due(after.state)).toBeUndefined()
})
