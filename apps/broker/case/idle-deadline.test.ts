import { dueDeadlines } from 'throughline/testing'
import { expect, test } from 'vitest'
import { brokerDomain } from './broker-domain.ts'
import { START, disclosures, domain, given } from './given-case.fixture.ts'
import { CASE_IN, IDLE } from './journey.fixture.ts'
import { CASE_STATUSES } from './state.ts'

const HOUR_MS = 3_600_000
const idle = brokerDomain({ disclosures, idleMs: HOUR_MS })
const WAITS = CASE_STATUSES.filter(
  (status) => !['intake', 'declined', 'ineligible', 'withdrawn', 'complete'].includes(status),
)

test.each(CASE_STATUSES)(
  '[broker 15] a case that is %s has the deadline of its silence only while the case goes on',
  (status) => {
    const { state } = given(...CASE_IN[status])
    const due = dueDeadlines(idle, { state, activeAt: START })
    const { type, data } = IDLE
    const only = {
      name: 'idle',
      key: '2026-11-20T10:00:00.000Z',
      at: START + HOUR_MS,
      propose: { type, data },
    }
    expect(due).toEqual(WAITS.includes(status) ? [only] : [])
  },
)

test('an empty thread has no such deadline, and no case has one without an idle time', () => {
  expect(dueDeadlines(idle, { state: idle.initial, activeAt: 0 })).toEqual([])
  const { state } = given(...CASE_IN.quote_ready)
  expect(dueDeadlines(domain, { state, activeAt: START })).toEqual([])
})
