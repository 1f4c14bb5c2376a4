import { RECONCILE_ROUNDS_MAX } from '../../src/domain/index.ts'
import { reconcile } from 'throughline'
import type { LogRecord } from 'throughline/log'
import { expect, test } from 'vitest'
import { domain } from '../../apps/broker/case/given-case.fixture.ts'
import { chance, newSeed } from '../chance.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { noisyJourney } from './any-acts.fixture.ts'
import { GatedCase } from './gated-case.fixture.ts'
import type { BrokerState } from './gated-case.fixture.ts'

const JOURNEYS = timesInTier({ quick: 150, full: 4_000 })

/** The event types that are a person's decision, from any source. */
const EVIDENCE = [
  'record_eligibility',
  'acknowledge_disclosure',
  'capture_consent',
  'accept_counter_offer',
  'refuse_counter_offer',
  'select_offer',
  'withdraw',
]

/** Whether a record of a rule's names as its cause the click from which it follows. */
function followsFromClick(record: LogRecord, earlier: readonly LogRecord[]): boolean {
  const cause = earlier.find(({ id }) => id === record.origin.cause)
  return (
    cause?.origin.source === 'ui' &&
    cause.origin.surface === 'customer' &&
    cause.type === 'capture_consent' &&
    JSON.stringify(cause.data).includes('"credit_search","granted":true')
  )
}

/** Returns the number of proposals that the rules would still make, in either pass. */
function stillProposed(state: BrokerState): number {
  const context = { now: 0, id: () => 'later' } as const
  const derived = reconcile(domain, state, { ...context, pass: 'derive' })
  const once = reconcile(domain, state, { ...context, pass: 'submit' })
  const twice = reconcile(domain, once.state, { ...context, pass: 'submit' })
  return derived.events.length + twice.events.length
}

test(`[S6] in ${JOURNEYS} journeys the rules settle, add nothing twice, and no evidence of their own`, async ({
  annotate,
}) => {
  const random = chance(newSeed())
  const fired = new Map<string, number>()
  let [passes, rounds, restless, evidence, ownEvidence] = [0, 0, 0, 0, 0]
  for (let journey = 0; journey < JOURNEYS; journey++) {
    const played = new GatedCase()
    const derived: LogRecord[] = []
    for (const act of noisyJourney(random)) {
      const done = await played.commit(act)
      passes++
      rounds = Math.max(rounds, done.fired.length)
      restless += stillProposed(done.snapshot.state)
      derived.push(...done.derived)
      for (const rule of done.fired) fired.set(rule, (fired.get(rule) ?? 0) + 1)
    }
    const records = await played.records()
    const ruled = derived.filter(({ type }) => EVIDENCE.includes(type))
    const own = ruled.filter((record) => !followsFromClick(record, records.slice(0, record.seq)))
    expect(own, `journey ${journey}`).toEqual([])
    expect(restless, `journey ${journey}`).toBe(0)
    evidence += ruled.length
    ownEvidence += own.length
  }
  expect(rounds).toBeLessThan(RECONCILE_ROUNDS_MAX)
  expect([...fired.keys()].toSorted()).toEqual(['R1', 'R2', 'R3'])
  const said = `${passes} passes, at most ${rounds} rounds of ${RECONCILE_ROUNDS_MAX}`
  const told = `${restless} events proposed again`
  await annotate(
    `${said}; ${told}; ${evidence} records of evidence by rules, ${ownEvidence} without a click`,
    'promise',
  )
}, 300_000)
