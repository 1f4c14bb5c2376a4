import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timesInTier } from '../../test/tier.fixture.ts'
import { customEvent } from '../activity/index.ts'
import { defineDomain } from '../domain/index.ts'
import { lamp } from '../domain/lamp.fixture.ts'
import type { Lamp } from '../domain/lamp.fixture.ts'
import type { EventLog, LogError, NewEvent, Snapshots } from '../log/index.ts'
import { logWith } from '../log/log-with.fixture.ts'
import { ShelvedSnapshots, SqliteShelves, sha256, uuidv7 } from '../storage/index.ts'
import { freshPath } from '../storage/sqlite-folder.fixture.ts'
import { anyHistory } from './any-history.fixture.ts'
import { Gate } from './index.ts'
import { SNAPSHOT_RECORDS } from '../thread/index.ts'
import { FOLDS_VERSION } from '../thread/index.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

const sources = { now: () => 1, id: uuidv7 }
const newLog = () => memoryLog(sources)

interface SnapshotsOptions {
  readonly key?: string
  readonly onFault?: (error: LogError) => void
}

/** Opens the snapshots beside a log at a path. */
function snapshotsAt(path: string, options: SnapshotsOptions = {}) {
  const shelves = new SqliteShelves(`${path}.snapshots`, options)
  const store = new ShelvedSnapshots(shelves, options)
  return Object.assign(store, { close: () => shelves.close() })
}

function gateOver(log: EventLog, store?: Snapshots, version = '1'): Gate<Lamp> {
  const kept = store && { snapshots: { store, version } }
  return new Gate<Lamp>({ log, domain: lamp, sha256, ...sources, ...kept })
}

/** A word about whose history it is, and people at the switch. */
function switches(count: number, whose = 'ours'): readonly NewEvent[] {
  const origin = { source: 'ui', depth: 0 } as const
  return Array.from({ length: count }, (_, at) =>
    at === 0
      ? customEvent('note', whose, origin)
      : { type: 'switch_on', data: { watts: 1 + (at % 50), from: 0 }, v: 2, origin },
  )
}

/** A log that counts reads. */
function counted(log: EventLog): { readonly log: EventLog; readonly read: () => number } {
  let records = 0
  const counting = logWith(log, {
    async *read(thread, options) {
      for await (const batch of log.read(thread, options)) {
        records += batch.length
        yield batch
      }
    },
  })
  return { log: counting, read: () => records }
}

const TAIL = 100

/** A long thread that was folded once, and the file in which that was kept. */
async function longThread(whose?: string) {
  const log = newLog()
  await log.append('t', switches(2 * SNAPSHOT_RECORDS, whose))
  const path = freshPath()
  const store = snapshotsAt(path)
  await gateOver(log, store).snapshot('t')
  await log.append('t', switches(TAIL, whose))
  return { log, path, store }
}

/** Whether a thread is what its records say, and how many of them had to be read to know it. */
async function restored(log: EventLog, store: Snapshots, version?: string) {
  const watched = counted(log)
  const snapshot = await gateOver(watched.log, store, version).snapshot('t')
  expect(snapshot).toStrictEqual(await gateOver(log).snapshot('t'))
  return watched.read()
}

const HISTORIES = timesInTier({ quick: 200, full: 10_000 })

test('[S5] a snapshot and the records after it give the same as all records, at every cut', async ({
  annotate,
}) => {
  let cuts = 0
  const property = fc.asyncProperty(anyHistory, async (events) => {
    const log = newLog()
    const growing = gateOver(log)
    const bodies: string[] = []
    for (const event of events) {
      await log.append('t', [event])
      bodies.push(JSON.stringify(await growing.snapshot('t')))
    }
    const whole = await gateOver(log).snapshot('t')
    expect(await growing.snapshot('t')).toStrictEqual(whole)
    for (const [seq, body] of bodies.entries()) {
      const { hash } = JSON.parse(body) as { hash: string }
      const [latest, nothing] = [async () => ({ seq, hash, body }), async () => {}]
      const store = { latest, put: nothing, forget: nothing }
      expect(await gateOver(log, store).snapshot('t')).toStrictEqual(whole)
      expect(await gateOver(log, store).state('t', seq)).toMatchObject({ seq })
      cuts++
    }
  })
  await fc.assert(property, { numRuns: HISTORIES })
  await annotate(`${HISTORIES} histories, ${cuts} cuts, 0 that differ`, 'promise')
}, 300_000)

test('[Y4] a long thread goes on from where it was kept', async () => {
  const { log, store } = await longThread()
  // The record that the snapshot goes up to, and those after it.
  expect(await restored(log, store)).toBe(1 + TAIL)
})

test('[Y4] a thread is kept as it grows, by its own commits and by appends of others', async () => {
  const log = newLog()
  const store = snapshotsAt(freshPath())
  const gate = gateOver(log, store)
  await log.append('t', switches(SNAPSHOT_RECORDS - 1))
  await gate.snapshot('t')
  expect(await restored(log, store)).toBe(SNAPSHOT_RECORDS - 1)
  const origin = { source: 'ui', surface: 'wall', depth: 0 } as const
  await gate.commit('t', [{ id: uuidv7(), type: 'switch_on', data: { watts: 5 }, origin }])
  expect(await restored(log, store)).toBe(1)
})

test('[Y4] an earlier state is reached from a snapshot before it, as from the beginning', async () => {
  const { log, store } = await longThread()
  const head = 2 * SNAPSHOT_RECORDS + TAIL - 1
  for (const at of [head, head - TAIL, head - TAIL - 1, 10]) {
    const watched = counted(log)
    const state = await gateOver(watched.log, store).state('t', at)
    expect(state).toStrictEqual(await gateOver(log).state('t', at))
    expect(watched.read()).toBe(at > head - TAIL ? 1 + TAIL : at === head - TAIL ? 1 : at + 1)
  }
})

test('[S5] a snapshot of another history is not used', async () => {
  const other = await longThread('theirs')
  const log = newLog()
  await log.append('t', switches(2 * SNAPSHOT_RECORDS + TAIL))
  expect(await restored(log, other.store)).toBe(2 * SNAPSHOT_RECORDS + TAIL + 1)
})

test('[S5] a snapshot of what the log does not hold any more is not used, then or later', async () => {
  const { store } = await longThread()
  const log = newLog()
  await log.append('t', switches(500))
  expect(await restored(log, store)).toBe(500)
  const grown = gateOver(log, store)
  await grown.snapshot('t')
  await log.append('t', switches(2 * SNAPSHOT_RECORDS))
  await grown.snapshot('t')
  expect(await restored(log, store)).toBe(1)
})

test('[S5] a snapshot of another thread, or of other reducers, is not used', async () => {
  const { log, store } = await longThread()
  expect(await restored(log, store, '2')).toBe(2 * SNAPSHOT_RECORDS + TAIL)
  const { log: again, store: fresh, path: freshly } = await longThread()
  const database = new DatabaseSync(`${freshly}.snapshots`)
  database.exec(`UPDATE entries SET shelf = replace(shelf, '"t"', '"other"')`)
  database.close()
  await again.append('other', switches(2 * SNAPSHOT_RECORDS, 'theirs'))
  const { conversation } = await gateOver(again, fresh).snapshot('other')
  expect(conversation).toStrictEqual((await gateOver(again).snapshot('other')).conversation)
})

const DAMAGES = {
  'a digit of it was changed': (path: string) => {
    const database = new DatabaseSync(path)
    database.exec(`UPDATE entries SET value = replace(value, '"watts":', '"watts":1')`)
    database.close()
  },
  'it says that it goes further': (path: string) => {
    const database = new DatabaseSync(path)
    database.exec('UPDATE entries SET rank = rank + 50')
    database.close()
  },
  'half of the file is gone': (path: string) => truncateSync(path, 4_096),
  'the file is none of ours': (path: string) => writeFileSync(path, 'not a database at all'),
  'the file was deleted': (path: string) => rmSync(path),
}

test.each(Object.entries(DAMAGES))(
  '[S5] a damaged snapshot changes nothing: %s',
  async (_what, damage) => {
    const { log, path, store } = await longThread()
    await store.close()
    damage(`${path}.snapshots`)
    const reopened = snapshotsAt(path)
    expect(await restored(log, reopened)).toBeGreaterThanOrEqual(2 * SNAPSHOT_RECORDS + TAIL)
    // The fold that found it out is kept, and found by the next one.
    expect(await restored(log, reopened)).toBeLessThan(TAIL + 2)
  },
)

test('a snapshot that was signed with another key is not used', async () => {
  const { log, path, store } = await longThread()
  await store.close()
  const signed = snapshotsAt(path, { key: 'secret' })
  expect(await restored(log, signed)).toBe(2 * SNAPSHOT_RECORDS + TAIL)
})

test('a state with a member that JSON leaves out is folded each time', async () => {
  const { domain } = defineDomain<{ readonly seen: number | undefined }>()
  const seen = domain({ name: 'seen', initial: { seen: undefined }, events: {} })
  const log = newLog()
  await log.append('t', switches(SNAPSHOT_RECORDS))
  const store = snapshotsAt(freshPath())
  const gate = () =>
    new Gate({ log, domain: seen, sha256, ...sources, snapshots: { store, version: '1' } })
  for (const each of [gate(), gate()]) {
    expect((await each.snapshot('t')).state).toHaveProperty('seen', undefined)
  }
})

test('where nothing can be kept, threads are folded from their beginning', async () => {
  const faults: string[] = []
  const store = snapshotsAt('/dev/null/log.db', {
    onFault: ({ code }) => faults.push(code),
  })
  const log = newLog()
  await log.append('t', switches(SNAPSHOT_RECORDS))
  expect(await restored(log, store)).toBe(SNAPSHOT_RECORDS)
  expect(faults).toEqual(['io'])
})

test('what a thread is folded into goes with the version of the folds', async () => {
  let ids = 0
  const id = () => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`
  const log = memoryLog({ now: () => 1, id })
  for (const events of fc.sample(anyHistory, { seed: 1, numRuns: 200 })) {
    await log.append('t', events)
  }
  const digest = sha256(JSON.stringify(await gateOver(log).snapshot('t')))
  // Another digest under the same version would let builds go on from what they do not fold.
  expect(`${FOLDS_VERSION} ${digest}`).toBe(
    '18 5c0d44c2ec259cdde08ec52c49c4e6af3620ba1157f3a151a42a2ea1d0aba62f',
  )
})
