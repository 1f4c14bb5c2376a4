import { expect, test } from 'vitest'
import { EVERYBODY, GivenCase, given } from '../given-case.fixture.ts'
import type { Act } from '../given-case.fixture.ts'
import { CASE_IN, IDLE, JOURNEY, RECORDED, upTo } from '../journey.fixture.ts'
import { CASE_STATUSES } from '../state.ts'
import type { CaseStatus } from '../state.ts'

const SOURCE = {
  from: { epoch: 'log-1', seq: 12, hash: 'a'.repeat(64) },
  line: ['a'.repeat(32)],
}

function hydration(by: Act['by'], state: object): Act {
  return { by, type: 'case_hydrated', data: { ...state, ...SOURCE } }
}

test('a created case is in intake, and keeps its scenario out of its fields', () => {
  const data = { ...JOURNEY.create.data, demoScenario: 'decline' }
  const { state } = given({ ...JOURNEY.create, data })
  expect(state.scenario).toBe('decline')
  expect(state.case).toEqual({
    sessionId: 'case-1',
    retailerName: 'Sunny Roofs',
    status: 'intake',
    project: {},
    contact: {},
    personal: {},
    financial: {},
    disclosures: [],
    consents: [],
    installerHandoffComplete: false,
    createdAt: '2026-11-20T10:00:00.000Z',
    updatedAt: '2026-11-20T10:00:00.000Z',
  })
})

test('a thread holds one case', () => {
  const after = given(...upTo('create')).when(JOURNEY.create)
  expect(after.refusal?.refused).toBe('precondition')
})

test.each(CASE_STATUSES)('a case that is %s comes back from its own copy as it was', (status) => {
  const before = given(...CASE_IN[status]).state
  const copy: object = JSON.parse(JSON.stringify(before))
  const { state, refusal } = new GivenCase().when(hydration('system', copy))
  expect(refusal).toBeUndefined()
  expect(state).toEqual(before)
})

test.each(['customer', 'installer', 'customerModel', 'rule'] as const)(
  'a case cannot be created, brought back or decided by %s',
  (by) => {
    const { state } = given(...CASE_IN.submitting)
    expect(new GivenCase().when({ ...JOURNEY.create, by }).refusal?.refused).toBe('not_authorised')
    const back = new GivenCase().when(hydration(by, state))
    expect(back.refusal?.refused).toBe('not_authorised')
    const decided = given(...CASE_IN.submitting).when({ ...RECORDED.approved, by })
    expect(decided.refusal?.refused).toBe('not_authorised')
  },
)

test('a copy that is not a case is refused', () => {
  const { state } = given(...CASE_IN.quote_ready)
  const { case: held } = state
  for (const broken of [{}, { ...held, status: 'approved' }, { ...held, consents: [{}] }]) {
    const after = new GivenCase().when(hydration('system', { ...state, case: broken }))
    expect(after.refusal?.refused).toBe('invalid_payload')
  }
})

const IDLE_REFUSED = {
  intake: 'precondition',
  declined: 'locked',
  ineligible: 'locked',
  withdrawn: 'locked',
  complete: 'locked',
} as const satisfies Partial<Record<CaseStatus, string>>

test.each(CASE_STATUSES)('journey_idle changes nothing in a case that is %s', (status) => {
  const before = given(...CASE_IN[status])
  const after = before.when(IDLE)
  const refused: Partial<Record<CaseStatus, string>> = IDLE_REFUSED
  expect(after.refusal?.refused).toBe(refused[status])
  expect(after.state).toBe(before.state)
})

test('journey_idle is refused in an empty thread, from all but the server, and without a time', () => {
  expect(new GivenCase().when(IDLE).refusal?.refused).toBe('precondition')
  for (const by of EVERYBODY.filter((each) => each !== 'system')) {
    const after = given(...CASE_IN.quote_ready).when({ ...IDLE, by })
    expect(after.refusal?.refused).toBe('not_authorised')
  }
  const undated = given(...CASE_IN.quote_ready).when({ ...IDLE, data: { since: 'long ago' } })
  expect(undated.refusal?.refused).toBe('invalid_payload')
})
