import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timesInTier } from '../../test/tier.fixture.ts'
import { customEvent } from '../activity/index.ts'
import { lamp, switchOn } from '../domain/lamp.fixture.ts'
import type { Lamp } from '../domain/lamp.fixture.ts'
import { MemoryLog } from '../log/index.ts'
import type { LogRecord, NewEvent } from '../log/index.ts'
import { Gate } from './index.ts'
import type { Commit, CommitOptions, GateProposal } from './index.ts'
import { recordsOf, sha256 } from '../../test/memory-log.fixture.ts'

function setUp() {
  const parts = { hash: sha256, now: () => 1, id: randomUUID as () => string }
  const log = new MemoryLog(parts)
  const gate = () => new Gate<Lamp>({ log, domain: lamp, sha256, now: () => 1, id: parts.id })
  return { log, gates: [gate(), gate()] as const }
}

const click = (watts: number): GateProposal => ({ ...switchOn(watts), id: randomUUID() })

function note(text: string): NewEvent {
  return { ...customEvent('note', text, { source: 'system', depth: 0 }), id: randomUUID() }
}

const typesOf = (records: readonly LogRecord[]) => records.map(({ type }) => type)

test('before, decided, derived and after are one batch in this order', async () => {
  const { log, gates } = setUp()
  const [first, last] = [note('first'), note('last')]
  const { answers, derived, records } = await gates[0].commit('t', [click(80), click(4_000)], {
    before: [first],
    after: ({ state, decided, derived: added, fired }) => {
      expect(state).toMatchObject({ watts: 80, reported: true })
      expect([...decided, ...added].map(({ type }) => type)).toEqual([
        'switch_on',
        'event_refused',
        'report',
      ])
      expect(fired).toEqual(['R1'])
      return [last]
    },
  })
  expect(typesOf(records)).toEqual(['CUSTOM', 'switch_on', 'event_refused', 'report', 'CUSTOM'])
  expect([records[0]?.id, records[4]?.id]).toEqual([first.id, last.id])
  expect(answers.map(({ record }) => record)).toEqual(records.slice(1, 3))
  expect(derived).toEqual(records.slice(3, 4))
  expect(await recordsOf(log)).toEqual(records)
})

test('a commit without proposals runs the rules between before and after', async () => {
  const { log, gates } = setUp()
  const lit = { id: randomUUID(), type: 'switch_on', data: { watts: 80, from: 0 }, v: 2 }
  await log.append('t', [lit, { id: randomUUID(), type: 'report', data: {} }])
  const { records, snapshot } = await gates[0].commit('t', [], {
    pass: 'submit',
    before: [note('first')],
    after: ({ state }) => [note(`replaced: ${state.replaced}`)],
  })
  expect(typesOf(records)).toEqual(['CUSTOM', 'replace', 'CUSTOM'])
  expect(records[2]?.data).toMatchObject({ value: 'replaced: true' })
  expect(snapshot).toMatchObject({ seq: 4, state: { replaced: true } })
})

test('a repeated request is answered with its whole batch', async () => {
  const { log, gates } = setUp()
  const proposals = [click(80)]
  const options: CommitOptions<Lamp> = {
    request: { id: randomUUID(), digest: 'one' },
    before: [note('first')],
    after: () => [note('last')],
  }
  const { answers, derived, fired, records, head } = await gates[0].commit('t', proposals, options)
  expect(typesOf(records)).toEqual(['CUSTOM', 'CUSTOM', 'switch_on', 'report', 'CUSTOM'])
  const again = await gates[1].commit('t', proposals, options)
  expect(again).toMatchObject({ answers, derived, fired, records, head })
  expect(again.derived).toHaveLength(1)
  expect(await recordsOf(log)).toEqual(records)
})

test('a commit that brings only activity is refused at another head', async () => {
  const { log, gates } = setUp()
  const lit = click(40)
  await gates[0].commit('t', [lit])
  const given: readonly CommitOptions<Lamp>[] = [
    { before: [note('first')] },
    { after: () => [note('last')] },
  ]
  for (const options of given) {
    for (const proposals of [[], [lit]]) {
      const late = gates[0].commit('t', proposals, { ...options, expectedVersion: -1 })
      await expect(late).rejects.toMatchObject({ code: 'version_conflict' })
    }
  }
  expect(await log.head('t')).toBe(0)
})

test('before and after hold no domain events', async () => {
  const { log, gates } = setUp()
  const report: NewEvent = { type: 'report', data: {} }
  for (const options of [{ before: [report] }, { after: () => [report] }]) {
    const commit = gates[0].commit('t', [click(40)], options)
    await expect(commit).rejects.toThrow('Cannot append "report": a domain event is committed')
  }
  expect(await log.head('t')).toBe(-1)
})

interface Attempt {
  readonly gate: 0 | 1
  readonly watts: readonly number[]
  readonly before: number
  readonly after: number
  readonly submit: boolean
  /** Stops the commit once the lamp shines at these watts. */
  readonly stopAt: number
}

const anyAttempt: fc.Arbitrary<Attempt> = fc.record({
  gate: fc.constantFrom(0, 1),
  watts: fc.array(fc.oneof(fc.integer({ min: 1, max: 61 }), fc.constant(4_000)), { maxLength: 3 }),
  before: fc.nat(2),
  after: fc.nat(2),
  submit: fc.boolean(),
  stopAt: fc.integer({ min: 20, max: 100 }),
})

const notes = (count: number, text: string) => Array.from({ length: count }, () => note(text))

/** Runs one commit; returns its outcome and the number of tries. */
async function run(gate: Gate<Lamp>, { watts, submit, stopAt, ...attempt }: Attempt) {
  const proposals = watts.map(click)
  const before = notes(attempt.before, 'before')
  const own = new Set([...proposals, ...before].map(({ id }) => id))
  let tries = 0
  const commit = gate.commit('t', proposals, {
    pass: submit ? 'submit' : 'derive',
    before,
    check: ({ state }) => {
      tries++
      if (state.watts >= stopAt) throw new Error('stopped')
    },
    after: ({ state }) => {
      const events = notes(attempt.after, `after ${JSON.stringify(state)}`)
      for (const { id } of events) own.add(id)
      return events
    },
  })
  const [done] = await Promise.allSettled([commit])
  return { attempt: { ...attempt, watts, stopAt }, done, own, tries }
}

const RUNS = timesInTier({ quick: 200, full: 5_000 })

test('a batch is all or nothing, whole and in order, whatever two writers do', async () => {
  let [retries, stops] = [0, 0]
  const property = fc.asyncProperty(fc.array(anyAttempt, { maxLength: 12 }), async (attempts) => {
    const { log, gates } = setUp()
    const all = await Promise.all(attempts.map((attempt) => run(gates[attempt.gate], attempt)))
    const records = await recordsOf(log)
    let appended = 0
    for (const { attempt, done, own, tries } of all) {
      retries += tries - 1
      if (done.status === 'rejected') {
        stops++
        expect(done.reason).toEqual(new Error('stopped'))
        expect(records.filter(({ id }) => own.has(id))).toEqual([])
      } else {
        appended += done.value.records.length
        await expectWhole(gates[0], { attempt, commit: done.value, records })
      }
    }
    expect(records).toHaveLength(appended)
    const [one, other] = await Promise.all(gates.map((gate) => gate.snapshot('t')))
    expect(one).toStrictEqual(other)
  })
  await fc.assert(property, { numRuns: RUNS })
  expect(Math.min(retries, stops)).toBeGreaterThan(RUNS / 20)
}, 300_000)

async function expectWhole(
  gate: Gate<Lamp>,
  given: {
    attempt: Pick<Attempt, 'watts' | 'before' | 'after' | 'stopAt'>
    commit: Commit<Lamp>
    records: readonly LogRecord[]
  },
): Promise<void> {
  const { attempt, commit, records } = given
  const first = commit.records[0]
  if (!first) return
  expect(records.slice(first.seq, first.seq + commit.records.length)).toEqual(commit.records)
  const { before, after, watts, stopAt } = attempt
  const decided = before + watts.length
  const derived = commit.records.length - after
  expect(commit.records.slice(before, decided)).toEqual(commit.answers.map(({ record }) => record))
  expect(commit.records.slice(decided, derived)).toEqual(commit.derived)
  if (first.seq > 0) {
    expect((await gate.state('t', first.seq - 1)).state.watts).toBeLessThan(stopAt)
  }
  const { state } = await gate.state('t', first.seq + commit.records.length - 1)
  const said = [
    ...notes(before, 'before').map(({ data }) => data),
    ...notes(after, `after ${JSON.stringify(state)}`).map(({ data }) => data),
  ]
  const outer = [...commit.records.slice(0, before), ...commit.records.slice(derived)]
  expect(outer.map(({ data }) => data)).toEqual(said)
}
