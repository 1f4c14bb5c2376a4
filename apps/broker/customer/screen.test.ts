import { expect, test } from 'vitest'
import { AT_GATE } from '../narrator/case-states.fixture.ts'
import type { CaseView } from './case-view.ts'
import { screenOf } from './screen.ts'

const AT = '2026-11-23T10:31:00.000Z'

/** A case that waits for the choice of a quote. */
const VIEW: CaseView = {
  sessionId: 'c',
  retailerName: 'r',
  status: 'customer_active',
  project: {},
  contact: {},
  personal: {},
  financial: {},
  eligibility: {
    isOver18: true,
    isUkResident: true,
    isHomeowner: true,
    isEmployed: true,
    capturedAt: AT,
  },
  disclosures: [{ id: 'service_status', presentedAt: AT, acknowledgedAt: AT }],
  consents: [],
  installerHandoffComplete: true,
  createdAt: AT,
  updatedAt: AT,
}
const OPEN = { entry: { place: 'quote', shows: 'open' }, sheet: undefined, moves: 0 } as const

test('[surfaces 49] an entry that shows an answer shows it, and every other one what the case waits for', () => {
  const answered = { ...OPEN, entry: { place: 'eligibility', shows: 'answered' } } as const
  expect(screenOf(VIEW, answered)).toEqual({ kind: 'answered', place: 'eligibility', at: AT })
  expect(screenOf(VIEW, OPEN)).toEqual({ kind: 'card', card: 'quote', place: 'quote' })
})

test('[surfaces 49] an entry of an answer that the case does not hold shows what the case waits for', () => {
  const gone = { ...OPEN, entry: { place: 'details', shows: 'answered' } } as const
  expect(screenOf(VIEW, gone)).toMatchObject({ kind: 'card', card: 'quote' })
})

test('a card that was opened again is shown while its answer may change', () => {
  const again = { ...OPEN, entry: { ...OPEN.entry, change: { card: 'vulnerability' } } } as const
  expect(screenOf(VIEW, again)).toMatchObject({ kind: 'changed', card: 'vulnerability' })
  const locked = { ...VIEW, status: 'submitting' } as const
  expect(screenOf(locked, again)).toMatchObject({ kind: 'card', card: 'waterfall' })
})

test('the page shows "Come back when you like" after saving until the case has ended', () => {
  const saved = { ...OPEN, sheet: 'saved' } as const
  expect(screenOf(VIEW, saved)).toMatchObject({ kind: 'saved' })
  expect(screenOf({ ...VIEW, status: 'withdrawn' }, saved)).toMatchObject({ kind: 'card' })
})

test('[surfaces 49] a confirmed summary is sent: the page shows the decision, and the summary as an answer', () => {
  const older = AT_GATE.submit.case
  expect(screenOf(older, OPEN)).toMatchObject({ card: 'submit', place: 'summary' })
  const disclosures = older.disclosures.map((each) => ({ ...each, version: 2 }))
  const confirmed = { ...older, disclosures }
  expect(screenOf(confirmed, OPEN)).toMatchObject({ card: 'waterfall', place: 'decision' })
})
