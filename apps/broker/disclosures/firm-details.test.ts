import { expect, test } from 'vitest'
import { declineSignposting } from './decline-signposting.ts'
import { DEMO_FIRM } from './firm-details.ts'
import { nextStepsAfter } from './next-steps.ts'

test.each([
  ['a Sunday', '2026-11-22T10:45:00.000Z', ['2026-11-24', '2026-11-25']],
  ['a Thursday', '2026-11-19T10:45:00.000Z', ['2026-11-23', '2026-11-24']],
  ['the first hour of a day in summer', '2026-06-30T23:30:00.000Z', ['2026-07-03', '2026-07-06']],
])('next steps are counted in working days, from %s', (_, at, [hardSearchBy, agreementBy]) => {
  expect(nextStepsAfter(at, DEMO_FIRM)).toEqual({ hardSearchBy, agreementBy })
})

test('a step without a waiting time has no date', () => {
  const at = '2026-11-22T10:45:00.000Z'
  expect(nextStepsAfter(at, { ...DEMO_FIRM, waits: {} })).toEqual({})
})

test('the free help is the one that the approved text for declined customers names', () => {
  for (const { name, website, phone = name } of DEMO_FIRM.freeHelp) {
    for (const fact of [name, website, phone]) expect(declineSignposting.body).toContain(fact)
  }
})
