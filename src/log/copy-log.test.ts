import { expect, test } from 'vitest'
import { copyLog, MemoryLog } from './index.ts'
import type { EventLog, NewEvent } from './index.ts'
import { sha256 } from '../platform/index.ts'

function memoryLog(): EventLog {
  let made = 0
  const id = () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`
  return new MemoryLog({ hash: sha256, now: () => 1_000 + made, id })
}

const events = (count: number, from = 0): readonly NewEvent[] =>
  Array.from({ length: count }, (_, at) => ({
    type: 'noted',
    data: { at: from + at },
    v: 2,
    origin: { source: 'ui', surface: 'desk', actor: 'ann', depth: 0 },
  }))

async function recordsOf(log: EventLog, thread: string) {
  const all = []
  for await (const records of log.read(thread)) all.push(...records)
  return all
}

async function copied(from: EventLog, to: EventLog) {
  const all = []
  for await (const thread of copyLog(from, to)) all.push(thread)
  return all
}

test('a copy has the same records, ids, times, origins and hashes', async () => {
  const [from, to] = [memoryLog(), memoryLog()]
  await from.append('b', events(2_500))
  await from.append('a', events(1))
  expect(await copied(from, to)).toEqual([
    { thread: 'b', records: 2_500, appended: 2_500 },
    { thread: 'a', records: 1, appended: 1 },
  ])
  for (const thread of ['a', 'b']) {
    expect(await recordsOf(to, thread)).toEqual(await recordsOf(from, thread))
    expect(await to.verify(thread)).toMatchObject({ ok: true })
  }
})

test('a copy that was cut off, or whose source has grown, goes on where it ended', async () => {
  const [from, to] = [memoryLog(), memoryLog()]
  await from.append('a', events(3))
  await copied(from, to)
  await from.append('a', events(2, 3))
  expect(await copied(from, to)).toEqual([{ thread: 'a', records: 5, appended: 2 }])
  expect(await copied(from, to)).toEqual([{ thread: 'a', records: 5, appended: 0 }])
  expect(await recordsOf(to, 'a')).toEqual(await recordsOf(from, 'a'))
})

test.each([
  ['of another history', 1, 'its records are others'],
  ['that has grown', 5, 'it has more records'],
])('a thread %s in the target is refused and stays as it is', async (_which, count, why) => {
  const [from, to] = [memoryLog(), memoryLog()]
  await from.append('a', events(2))
  await to.append('a', events(count, 100))
  const before = await recordsOf(to, 'a')
  await expect(copied(from, to)).rejects.toThrow(why)
  expect(await recordsOf(to, 'a')).toEqual(before)
})
