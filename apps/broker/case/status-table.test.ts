import { expect, test } from 'vitest'
import { BROKER_EVENT_TYPES, BROKER_SYSTEM_TYPES } from './event-names.ts'
import { given } from './given-case.fixture.ts'
import type { Act } from './given-case.fixture.ts'
import {
  ACCEPT,
  CASE_IN,
  COMPLETE,
  IDLE,
  INELIGIBLE,
  JOURNEY,
  RECORDED,
  REFUSE,
  SELECT,
  WITHDRAW,
} from './journey.fixture.ts'
import { CASE_STATUSES } from './state.ts'
import type { CaseStatus } from './state.ts'

const TRIGGERS = {
  project: JOURNEY.project,
  contact: JOURNEY.contact,
  link: JOURNEY.link,
  handoff: JOURNEY.handoff,
  'all eligible': JOURNEY.eligible,
  'not eligible': INELIGIBLE,
  quote: JOURNEY.quote,
  email: JOURNEY.email,
  personal: JOURNEY.personal,
  financial: JOURNEY.financial,
  vulnerability: JOURNEY.vulnerability,
  present: JOURNEY.presentStatus,
  acknowledge: JOURNEY.acknowledgeStatus,
  consent: JOURNEY.grant,
  submit: JOURNEY.submit,
  accept: ACCEPT,
  refuse: REFUSE,
  select: SELECT,
  withdraw: WITHDRAW,
  outcome: { by: 'system', type: 'case_outcome', data: { kind: 'selected' } },
  complete: COMPLETE,
  'request decision': { by: 'customer', type: 'request_decision' },
  create: JOURNEY.create,
  hydrate: { by: 'system', type: 'case_hydrated', data: {} },
  approved: RECORDED.approved,
  counter: RECORDED.counter,
  exhausted: RECORDED.exhausted,
  unsettled: RECORDED.unsettled,
  idle: IDLE,
} satisfies Record<string, Act>
type Trigger = keyof typeof TRIGGERS

const LENDERS: Partial<Record<Trigger, CaseStatus>> = {
  approved: 'selected',
  counter: 'awaiting_counter_decision',
  exhausted: 'declined',
  unsettled: 'waterfall_running',
  withdraw: 'withdrawn',
}

/** Every edge; whatever is not named leaves the status as it is. */
const EDGES: Readonly<Record<CaseStatus, Partial<Record<Trigger, CaseStatus>>>> = {
  intake: { link: 'awaiting_customer', handoff: 'awaiting_customer', withdraw: 'withdrawn' },
  awaiting_customer: {
    acknowledge: 'customer_active',
    personal: 'customer_active',
    financial: 'customer_active',
    withdraw: 'withdrawn',
  },
  customer_active: {
    'all eligible': 'quote_ready',
    'not eligible': 'ineligible',
    withdraw: 'withdrawn',
  },
  quote_ready: { submit: 'submitting', withdraw: 'withdrawn' },
  submitting: LENDERS,
  waterfall_running: LENDERS,
  awaiting_counter_decision: {
    accept: 'selected',
    refuse: 'waterfall_running',
    withdraw: 'withdrawn',
  },
  selected: { complete: 'complete', withdraw: 'withdrawn' },
  declined: {},
  ineligible: {},
  withdrawn: {},
  complete: {},
}

test.each(CASE_STATUSES)('[B027] every edge and every non-edge that leaves %s', (status) => {
  const before = given(...CASE_IN[status])
  expect(before.case.status).toBe(status)
  const after = Object.entries(TRIGGERS).map(([name, act]) => [name, before.when(act).case.status])
  const unmoved = Object.keys(TRIGGERS).map((name) => [name, status])
  expect(Object.fromEntries(after)).toEqual({ ...Object.fromEntries(unmoved), ...EDGES[status] })
})

test('the table of edges tries every type', () => {
  const tried = new Set(Object.values(TRIGGERS).map((act) => act.type))
  expect([...tried].toSorted()).toEqual([...BROKER_EVENT_TYPES, ...BROKER_SYSTEM_TYPES].toSorted())
})

test('a declined case has its outcome at once', () => {
  expect(given(...CASE_IN.declined).case.caseOutcome?.kind).toBe('declined')
})

test('updatedAt moves with every change and with nothing else', () => {
  const active = given(...CASE_IN.customer_active)
  expect(active.when(JOURNEY.acknowledgeStatus).case.updatedAt).toBe(active.case.updatedAt)
  const changed = active.when(JOURNEY.eligible).case
  expect(changed.updatedAt).toBe('2026-11-20T10:00:07.000Z')
  expect(changed.createdAt).toBe('2026-11-20T10:00:00.000Z')
})
