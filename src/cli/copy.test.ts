import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { timesInTier } from '../../test/tier.fixture.ts'
import type { NewEvent } from '../log/index.ts'
import { noPostgres, postgresServer } from '../storage/postgres/postgres-server.fixture.ts'
import { openKeys, openLog } from '../storage/index.ts'
import { SECRET, throughline } from './throughline.fixture.ts'

const server = postgresServer()
const events = (count: number): readonly NewEvent[] =>
  Array.from({ length: count }, (_, at) => ({ type: 'noted', data: { at, text: 'ä€😀' } }))

async function sqliteWith(threads: Readonly<Record<string, number>>): Promise<string> {
  const store = `sqlite:${join(newFolder(), 'log.db')}`
  const log = await openLog(store, { anchorKeys: [SECRET] })
  for (const [thread, count] of Object.entries(threads)) await log.append(thread, events(count))
  await log.close()
  return store
}

async function recordsOf(store: string) {
  const log = await openLog(store, { anchorKeys: [SECRET] })
  const all = []
  for (const thread of await log.threads()) {
    for await (const records of log.read(thread)) all.push(...records)
    expect(await log.verify(thread)).toMatchObject({ ok: true })
  }
  await log.close()
  return all
}

test.skipIf(noPostgres)(
  'a log goes from SQLite to Postgres and back: the same records, with the same hashes',
  async () => {
    const from = await sqliteWith({ a: 1_200, b: 3 })
    const [there, back] = [await server.newDatabase(), `sqlite:${join(newFolder(), 'back.db')}`]
    const copied = await throughline(['copy', from, there])
    expect(copied).toMatchObject({ code: 0, stderr: '' })
    expect(copied.stdout).toContain('2 threads, 1203 records, of which 1203 were copied now')
    expect(await throughline(['copy', there, back])).toMatchObject({ code: 0 })
    expect(await recordsOf(there)).toEqual(await recordsOf(from))
    expect(await recordsOf(back)).toEqual(await recordsOf(from))
  },
)

test('a copy of a log with keys says that they stay behind', async () => {
  const from = await sqliteWith({ a: 2 })
  const to = `sqlite:${join(newFolder(), 'to.db')}`
  const silent = await throughline(['copy', from, to])
  expect(silent.stdout).not.toContain('keys')
  await (await openKeys(`${from}.keys`)).close()
  const told = await throughline(['copy', from, to])
  expect(told).toMatchObject({ code: 0 })
  expect(told.stdout).toContain('the keys of erasable applications are not copied')
})

test('a copy that is made again appends nothing, and another history is refused', async () => {
  const from = await sqliteWith({ a: 5 })
  const to = `sqlite:${join(newFolder(), 'to.db')}`
  expect(await throughline(['copy', from, to])).toMatchObject({ code: 0 })
  expect((await throughline(['copy', from, to])).stdout).toContain('of which 0 were copied now')
  const other = await sqliteWith({ a: 5 })
  const refused = await throughline(['copy', other, to])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('Cannot copy the thread "a": the target holds it already')
  expect(await recordsOf(to)).toEqual(await recordsOf(from))
})

const FAULTS = [
  {
    what: 'an unknown store',
    args: ['copy', 'mysql://a', 'memory:'],
    code: 2,
    said: 'its store is unknown',
  },
  { what: 'one store', args: ['copy', 'sqlite:a.db'], code: 2, said: 'Usage: throughline create' },
  { what: 'no command', args: [], code: 2, said: 'throughline copy [' },
].slice(0, timesInTier({ quick: 2, full: 3 }))

test.each(FAULTS)('$what is told in plain words', async ({ args, code, said }) => {
  const told = await throughline(args)
  expect(told.code).toBe(code)
  expect(told.stderr).toContain(said)
  expect(told.stderr).not.toContain('    at ')
})
