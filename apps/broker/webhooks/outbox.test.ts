import { expect, test } from 'vitest'
import { customEvent } from 'throughline/server/extend'
import { stableId } from 'throughline'
import type { Json, LogRecord, NewEvent } from 'throughline'
import { EMITTERS, domain, given } from '../case/given-case.fixture.ts'
import type { Act } from '../case/given-case.fixture.ts'
import { CASE_IN, JOURNEY, upTo } from '../case/journey.fixture.ts'
import type { CaseStatus } from '../case/state.ts'
import { NOTED, emptyOutbox, foldOutbox, notedId } from './outbox.ts'
import type { Outbox } from './outbox.ts'

function folded(records: readonly LogRecord[], outbox = emptyOutbox(domain)): Outbox {
  return records.reduce((before, record) => foldOutbox(domain, before, record), outbox)
}

const after = (...acts: readonly Act[]) => folded(given(...acts).records)

function next(outbox: Outbox, event: NewEvent): LogRecord {
  const seq = outbox.seq + 1
  const place = { seq, thread: 'case-1', prev: '', hash: '', v: 1 }
  return {
    id: `id-${seq}`,
    ts: 1_800_000_000_000 + seq,
    origin: EMITTERS.system,
    ...event,
    ...place,
  }
}

const noted = (outbox: Outbox, name: string, value: Json) =>
  foldOutbox(domain, outbox, next(outbox, customEvent(name, value, EMITTERS.system)))

const statuses = Object.entries(CASE_IN) as readonly (readonly [CaseStatus, readonly Act[]])[]

test.each(statuses)(
  '[broker 15] a case that comes from a seed as %s leaves nothing to tell',
  (_, acts) => {
    const { state } = given(...acts)
    const data = { ...state, fromVersion: 7 }
    const outbox = emptyOutbox(domain)
    const told = foldOutbox(domain, outbox, next(outbox, { type: 'case_hydrated', data }))
    expect(told.state.case).toEqual(state.case)
    expect(told.pending).toEqual([])
  },
)

const OUTCOMES: Readonly<Partial<Record<CaseStatus, string>>> = {
  declined: 'declined',
  ineligible: 'ineligible',
  withdrawn: 'withdrawn',
  complete: 'selected',
}

test.each(statuses)(
  '[broker 15] a case in status %s sends its outcome once, if it has one',
  (status, acts) => {
    const outcomes = after(...acts).pending.filter(({ event }) => event === 'case_outcome')
    const expected = OUTCOMES[status]
    expect(outcomes.map(({ facts }) => facts['outcome'])).toEqual(expected ? [expected] : [])
  },
)

test('[broker 15] a new link is sent again; a hand-off without a link is sent too', () => {
  const links = (...acts: readonly Act[]) =>
    after(...acts).pending.filter(({ event }) => event === 'customer_link_ready')
  expect(links(...upTo('handoff'))).toHaveLength(1)
  expect(links(...upTo('handoff'), JOURNEY.link)).toHaveLength(2)
  expect(links(...upTo('contact'), JOURNEY.handoff)).toHaveLength(1)
})

const SINCE = '2026-11-20T10:00:08.000Z'
const LATER = '2026-11-22T10:00:00.000Z'
const silent = (outbox: Outbox, since: string) =>
  foldOutbox(domain, outbox, next(outbox, { type: 'journey_idle', data: { since } }))
const idleIn = ({ pending }: Outbox) =>
  pending.filter(({ event }) => event === 'journey_idle').map(({ facts }) => facts)

test('[broker 15] each silence makes one delivery with the status and the time since when', () => {
  const one = silent(after(...upTo('quote')), SINCE)
  expect(idleIn(one)).toEqual([{ status: 'quote_ready', since: SINCE }])
  expect(idleIn(silent(one, LATER))).toMatchObject([{ since: SINCE }, { since: LATER }])
})

test('[broker 15] the retry delay counts from the failure; a delivered or dead delivery is not pending', () => {
  const outbox = after(...upTo('handoff'))
  const [made] = outbox.pending
  const id = made?.id ?? ''
  const failed = noted(outbox, NOTED.failed, { delivery: id, attempt: 1 })
  expect(failed.pending).toMatchObject([{ id, attempts: 1 }])
  expect(failed.pending[0]?.since).toBeGreaterThan(made?.since ?? Infinity)
  for (const name of [NOTED.delivered, NOTED.deadLettered]) {
    expect(noted(failed, name, { delivery: 'another' }).pending).toHaveLength(1)
    expect(noted(failed, name, { delivery: id }).pending).toEqual([])
  }
})

test('[broker 15] a dead letter that is sent again begins a new round under its id, and nothing else does', () => {
  const outbox = after(...upTo('handoff'))
  const [made] = outbox.pending
  const id = made?.id ?? ''
  const died = noted(outbox, NOTED.deadLettered, { delivery: id, attempt: 10, reason: 'TIMEOUT' })
  expect(died.dead).toMatchObject([{ id, attempts: 10, reason: 'TIMEOUT', round: 0 }])
  const again = noted(died, NOTED.resent, { delivery: id })
  expect(again.dead).toEqual([])
  expect(again.pending).toEqual([
    { ...made, since: expect.any(Number), round: 1, begun: again.seq },
  ])
  for (const before of [outbox, again, noted(again, NOTED.delivered, { delivery: id })]) {
    const { pending, dead } = noted(before, NOTED.resent, { delivery: id })
    expect([pending, dead]).toEqual([before.pending, before.dead])
  }
})

test('each round of a delivery has ids of its own; those of the first are as they were before there were rounds', () => {
  const whats = ['ended', 'resent', 'failed 1', 'failed 2'] as const
  const ids = [0, 1, 2].flatMap((round) =>
    whats.map((what) => notedId('t', { id: 'd', round }, what)),
  )
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids[0]).toBe(stableId('t', 'd', 'ended'))
  expect(ids[2]).toBe(stableId('t', 'd', 'failed 1'))
})
