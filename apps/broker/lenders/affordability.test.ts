import { expect, test } from 'vitest'
import type { EmploymentStatus } from '../case/state.ts'
import { decideByMeans } from './affordability.ts'
import type { Means } from './affordability.ts'
import { RATE_CARDS } from './rate-cards.ts'
import { without } from './ready-case.fixture.ts'

interface Given {
  amount?: number
  term?: number
  income?: number
  outgoings?: number
  work?: EmploymentStatus
  born?: string
}

function given({ amount = 15_750, term = 120, ...who }: Given): Means {
  return {
    submittedAt: '2026-03-02T10:00:00.000Z',
    requested: { amount, termMonths: term },
    personal: who.born === undefined ? {} : { dateOfBirth: who.born },
    financial: {
      employmentStatus: who.work ?? 'Employed',
      annualIncome: who.income ?? 60_000,
      monthlyOutgoings: who.outgoings ?? 0,
    },
  }
}

function decisions(means: Means): string[] {
  return RATE_CARDS.map((card) => {
    const decision = decideByMeans(card, means)
    return decision.kind === 'approved' ? `${decision.terms.termMonths} months` : decision.reason
  })
}

test('each lender lends within its own amounts, both ends included', () => {
  const none = 'AMOUNT_OUT_OF_RANGE'
  const yes = '120 months'
  expect(decisions(given({ amount: 999 }))).toEqual([none, none, none])
  expect(decisions(given({ amount: 1_000 }))).toEqual([none, yes, yes])
  expect(decisions(given({ amount: 2_000 }))).toEqual([yes, yes, yes])
  expect(decisions(given({ amount: 20_001 }))).toEqual([yes, yes, none])
  expect(decisions(given({ amount: 25_001 }))).toEqual([none, yes, none])
  expect(decisions(given({ amount: 50_001 }))).toEqual([none, none, none])
})

test('only the last lender takes an income from work of the kind "Other"', () => {
  const none = 'NO_REGULAR_INCOME'
  expect(decisions(given({ work: 'Unemployed' }))).toEqual([none, none, none])
  expect(decisions(given({ work: 'Other' }))).toEqual([none, none, '120 months'])
  const unstated = without(given({}).financial, 'employmentStatus')
  expect(decisions({ ...given({}), financial: unstated })).toEqual([none, none, none])
})

test('an income must reach the minimum of the lender', () => {
  const low = 'INCOME_BELOW_MINIMUM'
  const small = { amount: 2_000, outgoings: 0 }
  expect(decisions(given({ ...small, income: 9_999 }))).toEqual([low, low, low])
  expect(decisions(given({ ...small, income: 10_000 }))).toEqual([low, low, '120 months'])
  expect(decisions(given({ ...small, income: 15_000 }))).toEqual([low, '120 months', '120 months'])
  expect(decisions(given({ ...small, income: 20_000 }))[0]).toBe('120 months')
})

test('figures that were not given count as nothing', () => {
  const means = { ...given({}), financial: { employmentStatus: 'Employed' as const } }
  expect(decisions(means)).toEqual(Array(3).fill('INCOME_BELOW_MINIMUM'))
  const unstated = without(given({}).financial, 'monthlyOutgoings')
  expect(decisions({ ...given({}), financial: unstated })).toEqual(Array(3).fill('120 months'))
})

test('a borrower is at most 80 when the term ends', () => {
  // Ten years on it is 2 March 2036: 80 until the day before the 81st birthday.
  expect(decisions(given({ born: '1955-03-03' }))[0]).toBe('120 months')
  expect(decisions(given({ born: '1955-03-02' }))[0]).toBe('AGE_AT_TERM_END')
})

test('a longer term that would end too late is not offered', () => {
  const tight = { income: 16_000, outgoings: 700 }
  expect(decisions(given({ ...tight, born: '1984-05-12' }))[1]).toBe('144 months')
  expect(decisions(given({ ...tight, born: '1956-05-12' }))[1]).toBe('AFFORDABILITY')
})

test('a term beyond the longest of a lender is cut to it', () => {
  expect(decisions(given({ term: 180 }))).toEqual(['180 months', '180 months', '120 months'])
  expect(decisions(given({ term: 30 }))).toEqual(['36 months', '30 months', '30 months'])
})

test('a payment exactly on the line of a limit is affordable', () => {
  // 251.71 a month is 15 % of 20,136.80 a year, of which 1,258.55 a month reaches the household.
  const line = { term: 84, income: 20_136.8, outgoings: 1_258.55 - 2 * 251.71 }
  expect(decisions(given(line))[0]).toBe('84 months')
  expect(decisions(given({ ...line, income: 20_136.79 }))[0]).toBe('120 months')
  expect(decisions(given({ ...line, outgoings: line.outgoings + 0.01 }))[0]).toBe('120 months')
})

test('a date that is not one is a bug of the caller', () => {
  expect(() => decisions(given({ born: 'yesterday' }))).toThrow("Cannot decide: the date is 'yest")
})
