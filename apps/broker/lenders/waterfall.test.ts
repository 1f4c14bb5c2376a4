import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CaseState, WaterfallResult } from '../case/state.ts'
import { builtInPanel } from './built-in-panel.ts'
import type { DemoScenario, LenderDecision, LenderPanel } from './panel.ts'
import { quote } from './quote.ts'
import { means, readyCase, without } from './ready-case.fixture.ts'
import { acceptCounter, refuseCounter } from './waterfall.ts'
import { runWaterfall } from './whole-waterfall.fixture.ts'
import type { WholeWaterfall } from './whole-waterfall.fixture.ts'

const NOW = '2026-03-02T11:00:00.000Z'
const LATER = '2026-03-02T11:05:00.000Z'

function run(
  caseState: CaseState,
  options: Partial<WholeWaterfall> = {},
): Promise<WaterfallResult> {
  return runWaterfall({
    caseState,
    scenario: 'auto',
    panel: builtInPanel,
    key: 'run-1',
    now: NOW,
    stillWanted: async () => true,
    ...options,
  })
}

const scripted = (scenario: DemoScenario, termMonths = 120): Promise<WaterfallResult> =>
  run(readyCase({ provisionalQuote: quote(15_750, termMonths, NOW) }), { scenario })

function refuse(before: CaseState, waterfall: WaterfallResult, scenario: DemoScenario = 'auto') {
  const refused = refuseCounter(waterfall, LATER)
  const options = { scenario, fromIndex: refused.steps.length, key: 'run-2', now: LATER }
  return run({ ...before, waterfall: refused }, options)
}

function said({ steps }: WaterfallResult): string[] {
  return steps.map(({ outcome }) => {
    const price = 'offer' in outcome ? ` ${outcome.offer.aprPct} ${outcome.offer.termMonths}` : ''
    const pay = 'offer' in outcome ? ` ${outcome.offer.monthlyPayment}` : ''
    return `${outcome.kind}${price}${pay}${'reason' in outcome ? ` ${outcome.reason}` : ''}`
  })
}

test('42,000 and 1,400: the first lender approves the requested terms', async () => {
  const result = await run(readyCase({ financial: means(42_000, 1_400) }))
  expect(said(result)).toEqual(['approved_as_requested 9.15 120 197.71'])
  expect(result.acceptedOffer).toEqual({
    id: expect.stringMatching(/^offer:[0-9a-f-]{36}$/),
    ...builtInPanel.lenders[0],
    aprPct: 9.15,
    termMonths: 120,
    monthlyPayment: 197.71,
    totalPayable: 23_725.2,
    netLoanAmount: 15_750,
  })
  expect(result).toMatchObject({ awaitingCounterDecision: false, exhausted: false, updatedAt: NOW })
})

test('18,500 and 700: the second lender counters with a higher rate', async () => {
  const result = await run(readyCase({ financial: means(18_500, 700) }))
  expect(said(result)).toEqual([
    'declined INCOME_BELOW_MINIMUM',
    'approved_with_counter 10.8 120 210.76 HIGHER_APR',
  ])
  expect(result.awaitingCounterDecision).toBe(true)
  expect(result.acceptedOffer).toBeUndefined()
})

test('16,000 and 700: the second lender counters with a longer term as well', async () => {
  const result = await run(readyCase({ financial: means(16_000, 700) }))
  expect(said(result)).toEqual([
    'declined INCOME_BELOW_MINIMUM',
    'approved_with_counter 10.8 144 190.97 HIGHER_APR,LONGER_TERM',
  ])
  expect(result.steps.at(-1)?.outcome).toMatchObject({ offer: { totalPayable: 27_499.68 } })
})

test('[B064] a refused counter-offer goes on to the next lender, and the panel ends', async () => {
  const before = readyCase({ financial: means(16_000, 700) })
  const result = await refuse(before, await run(before))
  expect(said(result).slice(2)).toEqual(['declined AFFORDABILITY'])
  expect(result).toMatchObject({ exhausted: true, awaitingCounterDecision: false })
})

test('12,000 and 350, retired: the third lender counters', async () => {
  const result = await run(readyCase({ financial: means(12_000, 350, 'Retired') }))
  expect(said(result)).toEqual([
    'declined INCOME_BELOW_MINIMUM',
    'declined INCOME_BELOW_MINIMUM',
    'approved_with_counter 18.6 120 275.54 HIGHER_APR',
  ])
})

test('11,000 and 350: the panel is exhausted', async () => {
  const result = await run(readyCase({ financial: means(11_000, 350) }))
  expect(said(result).at(-1)).toBe('declined AFFORDABILITY')
  expect(result).toMatchObject({ exhausted: true, awaitingCounterDecision: false })
})

test('26,000 with 60,000 and 1,500: too much for the first, the second counters', async () => {
  const provisionalQuote = quote(26_000, 120, NOW)
  const result = await run(readyCase({ provisionalQuote, financial: means(60_000, 1_500) }))
  expect(said(result)).toEqual([
    'declined AMOUNT_OUT_OF_RANGE',
    'approved_with_counter 10.4 120 342.66 HIGHER_APR',
  ])
})

test('a lender whose longest term is shorter counters with it', async () => {
  const provisionalQuote = quote(15_750, 180, NOW)
  const result = await run(readyCase({ provisionalQuote, financial: means(14_000, 0) }))
  expect(said(result).at(-1)).toBe('approved_with_counter 18.6 120 275.54 HIGHER_APR,SHORTER_TERM')
})

test('scenario clean: the first lender approves the requested terms', async () => {
  expect(said(await scripted('clean'))).toEqual(['approved_as_requested 9.15 120 197.71'])
})

test.each([
  [84, 120],
  [100, 120],
  [120, 144],
  [144, 180],
  [180, 180],
])('scenario counter: asked for %i months, the second lender offers %i', async (asked, offered) => {
  const result = await scripted('counter', asked)
  expect(result.steps.map(({ outcome }) => outcome.kind)).toEqual([
    'declined',
    'approved_with_counter',
  ])
  expect(result.steps.at(-1)?.outcome).toMatchObject({ offer: { termMonths: offered } })
})

test('scenario counter: after a refusal the last lender declines', async () => {
  const result = await refuse(readyCase(), await scripted('counter'), 'counter')
  expect(result.steps).toHaveLength(3)
  expect(result.exhausted).toBe(true)
})

test('scenario decline: every lender declines', async () => {
  const result = await scripted('decline')
  expect(result.steps.map(({ outcome }) => outcome.kind)).toEqual(Array(3).fill('declined'))
  expect(result.exhausted).toBe(true)
})

test('[B063] lenders are asked one at a time, in order, and no further than needed', async () => {
  const trace: string[] = []
  const panel: LenderPanel = {
    lenders: builtInPanel.lenders,
    async decide(index, application, call) {
      trace.push(`ask ${index} ${call.key} ${application.applicationId}`)
      await new Promise((resolve) => setTimeout(resolve, 1))
      trace.push(`answer ${index}`)
      return builtInPanel.decide(index, application, call)
    },
  }
  await run(readyCase({ financial: means(18_500, 700) }), { panel })
  const [first, , second] = trace.map((line) => line.split(' ')[2] ?? '')
  expect(trace).toEqual([
    `ask 0 ${first} ${first}`,
    'answer 0',
    `ask 1 ${second} ${second}`,
    'answer 1',
  ])
  expect(first).not.toBe(second)
})

test('[B063] every step names the lender and its position, a decline also a reason', async () => {
  const { steps } = await scripted('decline')
  expect(steps).toEqual(
    builtInPanel.lenders.map(({ lender, position }) => ({
      lender,
      position,
      outcome: { kind: 'declined', reason: 'DEMO_SCENARIO' },
      askedAt: NOW,
    })),
  )
})

function answering(...decisions: LenderDecision[]): LenderPanel {
  return {
    lenders: builtInPanel.lenders,
    decide: (index) =>
      Promise.resolve(decisions[index] ?? { kind: 'declined', reason: 'NOT_GIVEN' }),
  }
}

const approved = {
  kind: 'approved',
  terms: {
    netLoanAmount: 15_750,
    aprPct: 9.15,
    termMonths: 120,
    monthlyPayment: 197.71,
    totalPayable: 23_725.2,
  },
} as const

test('[B058] an unavailable lender is skipped, with every kind of panel', async () => {
  const panel = answering({ kind: 'unavailable', reason: 'TIMEOUT' }, approved)
  expect(said(await run(readyCase(), { panel }))).toEqual([
    'unavailable TIMEOUT',
    'approved_as_requested 9.15 120 197.71',
  ])
})

test.each([
  [9.15, 'approved_as_requested'],
  [9.16, 'approved_as_requested'],
  [9.17, 'approved_with_counter'],
  [8.9, 'approved_as_requested'],
])('an approval at %f %% is %s, whatever the lender calls it', async (aprPct, kind) => {
  const panel = answering({ kind: 'approved', terms: { ...approved.terms, aprPct } })
  expect((await run(readyCase(), { panel })).steps[0]?.outcome.kind).toBe(kind)
})

test('a rate higher by exactly the tolerance matches, also where doubles fall short', async () => {
  const provisionalQuote = { ...quote(15_750, 120, NOW), indicativeAprPct: 8.04 }
  const panel = answering({ kind: 'approved', terms: { ...approved.terms, aprPct: 8.05 } })
  const result = await run(readyCase({ provisionalQuote }), { panel })
  expect(result.steps[0]?.outcome.kind).toBe('approved_as_requested')
})

test('an offer of another amount is not relayed', async () => {
  const terms = { ...approved.terms, netLoanAmount: 10_000 }
  const result = await run(readyCase(), { panel: answering({ kind: 'approved', terms }) })
  expect(said(result)[0]).toBe('declined OTHER_AMOUNT_OFFERED')
})

test.each([23_725.22, 23_725.18, Number.NaN])(
  'an offer whose payments do not add up to £%f is not relayed',
  async (totalPayable) => {
    const terms = { ...approved.terms, totalPayable }
    const result = await run(readyCase(), { panel: answering({ kind: 'approved', terms }) })
    expect(said(result)[0]).toBe('unavailable INCONSISTENT_TERMS')
  },
)

test('a run beyond the end of the panel is exhausted and asks no lender', async () => {
  for (const fromIndex of [3, 4, 99]) {
    const result = await run(readyCase(), { fromIndex })
    expect(result).toMatchObject({ steps: [], exhausted: true })
  }
})

test('a case without a quote does not reach a lender', async () => {
  const unquoted = without(readyCase(), 'provisionalQuote')
  await expect(run(unquoted, { panel: answering(approved) })).rejects.toThrow('holds no quote')
})

test('[B064] an accepted counter-offer becomes the accepted offer, once', async () => {
  const waiting = await scripted('counter')
  const accepted = acceptCounter(waiting, LATER)
  expect(waiting.steps.at(-1)?.outcome).toMatchObject({ offer: accepted.acceptedOffer })
  expect(accepted).toMatchObject({ awaitingCounterDecision: false, updatedAt: LATER })
  expect(acceptCounter(accepted, NOW)).toBe(accepted)
})

test('[B064] a refused counter-offer accepts nothing, and is refused once', async () => {
  const refused = refuseCounter(await scripted('counter'), LATER)
  expect(refused.acceptedOffer).toBeUndefined()
  expect(refused.awaitingCounterDecision).toBe(false)
  expect(refuseCounter(refused, NOW)).toBe(refused)
  expect(acceptCounter(refused, NOW)).toBe(refused)
})

test('a counter-offer that is not there cannot be accepted', async () => {
  const broken = { ...(await scripted('decline')), awaitingCounterDecision: true }
  expect(() => acceptCounter(broken, LATER)).toThrow("the last step is 'declined'")
})

test('any loan that is offered keeps its amount, adds up and is repeatable', async () => {
  const loan = fc.record({
    amount: fc.integer({ min: 500, max: 55_000 }),
    term: fc.integer({ min: 36, max: 180 }),
    income: fc.integer({ min: 0, max: 90_000 }),
    outgoings: fc.integer({ min: 0, max: 3_000 }),
  })
  const property = fc.asyncProperty(loan, async ({ amount, term, income, outgoings }) => {
    const provisionalQuote = quote(amount, term, NOW)
    const before = readyCase({ provisionalQuote, financial: means(income, outgoings) })
    const result = await run(before)
    expect(await run(before)).toEqual(result)
    for (const { outcome } of result.steps) {
      if (!('offer' in outcome)) continue
      const { netLoanAmount, monthlyPayment, termMonths, totalPayable } = outcome.offer
      expect(netLoanAmount).toBe(amount)
      expect(Math.abs(monthlyPayment * termMonths - totalPayable)).toBeLessThan(0.0101)
    }
  })
  await fc.assert(property)
})

test('what makes a customer vulnerable, and free text, never changes a decision', async () => {
  const words = fc.record({
    existingCommitments: fc.string(),
    vulnerabilityIndicators: fc.array(fc.string()),
    vulnerabilityNote: fc.string(),
  })
  const figures = fc.constantFrom([42_000, 1_400], [16_000, 700], [11_000, 350])
  const property = fc.asyncProperty(words, figures, async (told, [income = 0, outgoings = 0]) => {
    const silent = await run(readyCase({ financial: means(income, outgoings) }))
    const financial = { ...means(income, outgoings), ...told }
    expect(await run(readyCase({ financial }))).toEqual(silent)
  })
  await fc.assert(property)
})

test('the built-in panel has no lender beyond its last', async () => {
  const panel: LenderPanel = {
    ...builtInPanel,
    lenders: [...builtInPanel.lenders, ...builtInPanel.lenders],
  }
  await expect(run(readyCase(), { panel, fromIndex: 3 })).rejects.toThrow('no lender at index 3')
})
