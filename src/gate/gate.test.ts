import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { lamp, switchOn } from '../domain/lamp.fixture.ts'
import { LogError, MemoryLog, type NewEvent } from '../log/index.ts'
import { logWith } from '../log/log-with.fixture.ts'
import { membersOf } from '../json/index.ts'
import { Gate, type GateProposal } from './index.ts'
import { REFUSED_PROPOSAL_CHARS_MAX } from './plan.ts'
import { recordsOf, sha256 } from '../../test/memory-log.fixture.ts'

function setUp() {
  const parts = { hash: sha256, now: () => 1, id: randomUUID as () => string }
  const log = new MemoryLog(parts)
  const gate = () => new Gate({ log, domain: lamp, sha256, now: () => 1, id: parts.id })
  return { log, gate: gate(), another: gate() }
}

const click = (watts: unknown, more: Partial<GateProposal> = {}): GateProposal => ({
  ...switchOn(watts),
  id: randomUUID(),
  ...more,
})

test('[S13] a key that comes at once with many contents, over two gates, belongs to one of them', async () => {
  const { log, gate, another } = setUp()
  const id = randomUUID()
  const proposals = [click(5)]
  const commits = Array.from({ length: 20 }, (_, n) => {
    const request = { id, digest: `digest ${n % 4}` }
    return (n % 2 === 0 ? gate : another).commit('t', proposals, { request })
  })
  const done = await Promise.allSettled(commits)
  const digests = new Set(done.flatMap(({ status }, n) => (status === 'fulfilled' ? [n % 4] : [])))
  expect(digests.size).toBe(1)
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  for (const result of done) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'key_reused' })
  }
  expect(await log.head('t')).toBe(1)
})

test('[S13] a repeated request gets its first answer, whatever has happened since', async () => {
  const { log, gate, another } = setUp()
  const request = { id: randomUUID(), digest: 'one' }
  const proposals = [click(80), click(4_000)]
  const options = { request, expectedVersion: -1 }
  const first = await gate.commit('t', proposals, options)
  await gate.commit('t', [click(7)])
  const head = await log.head('t')
  const again = await another.commit('t', proposals, options)
  const { answers, derived, fired } = first
  expect(again).toMatchObject({ answers, derived, fired, head: first.head })
  expect(derived.map(({ type }) => type)).toEqual(['report'])
  expect(await log.head('t')).toBe(head)
})

test('[X20] a state at an earlier record is folded from at most so many records', async () => {
  const { gate, another } = setUp()
  for (let n = 0; n < 5; n++) await gate.commit('t', [click(5)])
  expect((await another.state('t', 3, 4)).seq).toBe(3)
  await expect(another.state('t', 3, 3)).rejects.toMatchObject({
    code: 'too_large',
    message: 'Cannot fold "t" up to 3: 4 records are to be folded, 3 may be',
  })
})

test('an accepted event and the events that the rules derive from it are one batch', async () => {
  const { log, gate } = setUp()
  const { answers, derived, fired, snapshot } = await gate.commit('t', [click(80)])
  expect(answers[0]?.record.type).toBe('switch_on')
  expect(derived.map(({ type }) => type)).toEqual(['report'])
  expect(derived[0]?.origin).toMatchObject({ rule: 'R1', cause: answers[0]?.record.id })
  expect(fired).toEqual(['R1'])
  expect(snapshot).toMatchObject({ seq: 1, state: { lit: true, broken: true, reported: true } })
  expect(await log.head('t')).toBe(1)
})

test('[S10] a refusal is a record with its reason and the digest of the proposal', async () => {
  const { gate } = setUp()
  const { answers } = await gate.commit('t', [click(4_000, { raw: '<tag/>' })])
  expect(answers[0]?.refusal).toMatchObject({ refused: 'invalid_payload' })
  expect(answers[0]?.record).toMatchObject({
    type: 'event_refused',
    data: {
      type: 'switch_on',
      reason: 'invalid_payload',
      digest: sha256('<tag/>'),
      source: 'ui',
    },
  })
})

test('a refusal keeps the data of a known type with nothing personal, to decide it again', async () => {
  const { gate } = setUp()
  const refusedData = async (proposal: GateProposal) => {
    const [answer] = (await gate.commit('t', [proposal])).answers
    return membersOf(answer?.record.data ?? null)
  }
  expect(await refusedData(click(4_000))).toMatchObject({ proposal: { watts: 4_000 } })
  const unheld = [
    click('x'.repeat(REFUSED_PROPOSAL_CHARS_MAX)),
    click(() => 80),
    { ...click(80), type: 'unknown' },
  ]
  for (const proposal of unheld) expect(await refusedData(proposal)).not.toHaveProperty('proposal')
})

test('a rule without `causedBy` names the last accepted event that no rule proposed, of any commit', async () => {
  const { gate, another } = setUp()
  const id = randomUUID()
  const { derived } = await gate.commit('t', [click(80, { id }), click(90)])
  expect(derived.map(({ origin }) => [origin.rule, origin.cause])).toEqual([['R1', id]])
  const later = await another.commit('t', [], { pass: 'submit' })
  expect(later.derived.map(({ origin }) => [origin.rule, origin.cause])).toEqual([['R2', id]])
})

test('[A079] a proposal that comes again is answered with its record, whatever the state is now', async () => {
  const { log, gate, another } = setUp()
  const [lit, wrong] = [click(80), click(0)]
  const first = await gate.commit('t', [lit, wrong])
  const again = await another.commit('t', [lit, wrong])
  expect(again.answers).toEqual(first.answers)
  expect(await log.head('t')).toBe(2)
})

test('[A079] the case of the letters in an id does not matter', async () => {
  const { log, gate } = setUp()
  const lit = click(40)
  const loud = { ...lit, id: lit.id.toUpperCase() }
  const { answers } = await gate.commit('t', [loud, lit])
  expect(answers.map(({ record }) => record.id)).toEqual([lit.id, lit.id])
  expect((await gate.commit('t', [loud])).answers).toEqual(answers.slice(1))
  expect(await log.head('t')).toBe(0)
})

test('a proposal without an id gets a fresh one, beside others that have theirs', async () => {
  const { gate } = setUp()
  const unnamed = { ...click(5), id: undefined }
  const held = click(6)
  await gate.commit('t', [held])
  const { answers, head } = await gate.commit('t', [unnamed, held, unnamed])
  expect(answers.map(({ record }) => record.seq)).toEqual([1, 0, 2])
  expect(new Set(answers.map(({ record }) => record.id)).size).toBe(3)
  expect(head).toBe(2)
})

test('[S13] under a key a proposal without an id has the same one when it comes again', async () => {
  const { log, gate, another } = setUp()
  const request = { id: randomUUID(), digest: 'one' }
  const unnamed = { ...click(5), id: undefined }
  const first = await gate.commit('t', [unnamed], { request })
  const again = await another.commit('t', [unnamed], { request })
  expect(again.answers).toEqual(first.answers)
  expect(await log.head('t')).toBe(1)
})

test('a proposal that comes again does not count twice for those that come with it', async () => {
  const { gate } = setUp()
  const [first, second] = [click(40), click(50)]
  await gate.commit('t', [first])
  await gate.commit('t', [second])
  const { answers } = await gate.commit('t', [first, click(30)])
  expect(answers[1]?.record.data).toEqual({ watts: 30, from: 50 })
})

test('a proposal that was refused before it came keeps that reason', async () => {
  const { gate } = setUp()
  const refused = { refused: 'echoed', detail: 'a person wrote it' } as const
  const { answers } = await gate.commit('t', [click(40, { refused })])
  expect(answers[0]?.refusal).toEqual(refused)
})

test('a commit that expects another head is a conflict and appends nothing', async () => {
  const { log, gate } = setUp()
  await gate.commit('t', [click(40)])
  const late = gate.commit('t', [click(50)], { expectedVersion: -1 })
  await expect(late).rejects.toMatchObject({ code: 'version_conflict' })
  expect(await log.head('t')).toBe(0)
})

test('two writers on one thread both get in, each on the state that the other left', async () => {
  const { log, gate, another } = setUp()
  const clicks = Array.from({ length: 20 }, (_, index) =>
    (index % 2 ? gate : another).commit('t', [click(index + 1)]),
  )
  const commits = await Promise.all(clicks)
  expect(await log.head('t')).toBe(19)
  const froms = new Map<number, unknown>()
  for (const { answers } of commits) {
    const record = answers[0]?.record
    if (record) froms.set(record.seq, record.data)
  }
  const inOrder = [...froms.keys()].toSorted((a, b) => a - b).map((seq) => froms.get(seq))
  let before = 0
  for (const data of inOrder) {
    expect(data).toHaveProperty('from', before)
    before = (data as { watts: number }).watts
  }
})

test('agent activity is appended beside the domain, a domain event is not', async () => {
  const { gate } = setUp()
  const start: NewEvent = {
    type: 'RUN_STARTED',
    data: { threadId: 't', runId: 'r' },
    origin: { source: 'system', depth: 0, run: 'r' },
  }
  await gate.append('t', [start])
  expect((await gate.snapshot('t')).openRuns.map(({ runId }) => runId)).toEqual(['r'])
  expect(() => gate.append('t', [{ type: 'switch_on', data: {} }])).toThrow('is committed')
})

test('a gate catches up with the records of other writers', async () => {
  const { gate, another } = setUp()
  await gate.commit('t', [click(40)])
  await another.commit('t', [click(50)])
  expect((await gate.snapshot('t')).state.watts).toBe(50)
})

test('the state of an earlier seq can be read', async () => {
  const { gate } = setUp()
  await gate.commit('t', [click(40)])
  await gate.commit('t', [click(50)])
  expect(await gate.state('t', 0)).toMatchObject({ seq: 0, state: { watts: 40 } })
  expect(await gate.state('t')).toMatchObject({ seq: 1, state: { watts: 50 } })
})

test('[B050] reading shows what the rules would derive and appends nothing', async () => {
  const { log, gate } = setUp()
  const data = { watts: 80, from: 0 }
  await log.append('t', [{ id: randomUUID(), type: 'switch_on', data, v: 2 }])
  expect((await gate.state('t')).state.reported).toBe(true)
  expect(await log.head('t')).toBe(0)
})

test('[D15] a commit that is stored, and cannot be read afterwards, is not stored again', async () => {
  const { log } = setUp()
  let faults = 0
  const failing = logWith(log, {
    async head(thread) {
      const head = await log.head(thread)
      if (head >= 0 && faults++ === 0) {
        throw new LogError('unavailable', 'Cannot ask the database')
      }
      return head
    },
  })
  const gate = new Gate({ log: failing, domain: lamp, sha256, now: () => 1, id: randomUUID })
  const origin = { source: 'system', depth: 0 } as const
  const note = (id?: string): NewEvent => ({ type: 'note', data: {}, origin, ...(id && { id }) })
  // Given twice, so that the fold is read anew.
  const twice = randomUUID()
  const before = [note(), note(twice), note(twice)]
  await gate.commit('t', [click(5)], { before, mustRecord: true })
  const types = (await recordsOf(log)).map(({ type }) => type)
  expect(types.filter((type) => type === 'note')).toHaveLength(2)
})
