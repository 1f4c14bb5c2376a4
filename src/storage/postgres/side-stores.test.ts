import { expect, onTestFinished, test } from 'vitest'
import { INDEX_TEXT_CHARS_MAX, indexKey, threadIndexContract } from '../../log/index.ts'
import type { LogError } from '../../log/index.ts'
import { openStore } from '../open-store.ts'
import { counted } from '../sqlite-folder.fixture.ts'
import { execute, noPostgres, postgresServer } from './postgres-server.fixture.ts'
import { countOf, selectionOf } from './thread-selection.ts'

const server = postgresServer()

/** A store as one of several processes has it. */
async function stored(url: string) {
  const faults: LogError[] = []
  const onFault = (error: LogError): void => void faults.push(error)
  const { cursors, threadIndex, snapshots, ...store } = await openStore(url, {
    folds: 'named',
    onFault,
  })
  onTestFinished(() => store.close())
  if (!cursors || !threadIndex || !snapshots) throw new TypeError('Nothing is kept beside the log')
  return { ...store, cursors, threadIndex, snapshots, faults }
}

const at = (xid: number, thread = 1): string => `2 ${xid}-${thread}-0123456789abcdef`
const WORK = 'work'

if (!noPostgres) {
  let url = ''
  const index = async () => {
    url ||= await server.newDatabase()
    await execute(url, 'DROP SCHEMA IF EXISTS throughline CASCADE')
    return (await stored(url)).threadIndex
  }
  for (const { name, run } of threadIndexContract(index)) test(name, run)
}

test.skipIf(noPostgres)(
  'what one process keeps beside the log, a process that starts elsewhere finds',
  async () => {
    const url = await server.newDatabase()
    const one = await stored(url)
    const snapshot = { seq: 4, hash: 'h', body: '{"n":1}' }
    const key = { name: 'fold', version: '1' }
    await one.snapshots.put('t', key, snapshot)
    await one.cursors.save(WORK, at(7), [{ thread: 't', dueAt: 5 }])
    await one.threadIndex.begin('g')
    const other = await stored(url)
    expect(await other.snapshots.latest('t', { ...key, upTo: Infinity })).toEqual(snapshot)
    expect(await other.cursors.load(WORK)).toBe(at(7))
    expect(await other.cursors.open(WORK)).toEqual([{ thread: 't', dueAt: 5 }])
    expect(await other.threadIndex.load()).toEqual({ generation: 'g', position: '' })
    expect(other.log.epoch).toBe(one.log.epoch)
    expect([...one.faults, ...other.faults]).toEqual([])
  },
)

test.skipIf(noPostgres)(
  'a process that is behind saves no position, and closes no thread that another one has open',
  async () => {
    const url = await server.newDatabase()
    const [ahead, behind] = [await stored(url), await stored(url)]
    await ahead.cursors.save(WORK, at(90), [{ thread: 'open', dueAt: 1 }])
    await behind.cursors.save(WORK, at(9), [{ thread: 'open', dueAt: undefined }])
    expect(await behind.cursors.load(WORK)).toBe(at(90))
    expect(await behind.cursors.open(WORK)).toEqual([{ thread: 'open', dueAt: 1 }])
    await behind.cursors.save(WORK, at(90, 2), [{ thread: 'open', dueAt: undefined }])
    expect(await ahead.cursors.load(WORK)).toBe(at(90, 2))
    expect(await ahead.cursors.open(WORK)).toEqual([])
  },
)

test.skipIf(noPostgres)(
  'a process of a version that another one has replaced saves nothing',
  async () => {
    const url = await server.newDatabase()
    const [old, renewed] = [await stored(url), await stored(url)]
    await old.cursors.save(WORK, at(50), [])
    await renewed.cursors.load(WORK)
    const begun = '3 1-1-0123456789abcdef'
    await renewed.cursors.save(WORK, begun, [])
    await old.cursors.save(WORK, at(60), [{ thread: 't', dueAt: 1 }])
    expect(await old.cursors.load(WORK)).toBe(begun)
    expect(await old.cursors.open(WORK)).toEqual([])
  },
)

test.skipIf(noPostgres)('a save that the database refused goes with the next one', async () => {
  const url = await server.newDatabase()
  const { cursors, faults } = await stored(url)
  await execute(url, 'ALTER TABLE throughline.cursors RENAME TO away')
  await cursors.save(WORK, at(1), [{ thread: 'first', dueAt: 1 }])
  expect(faults).toMatchObject([{ code: 'configuration' }])
  await execute(url, 'ALTER TABLE throughline.away RENAME TO cursors')
  await cursors.save(WORK, at(2), [{ thread: 'second', dueAt: 2 }])
  expect(await cursors.open(WORK)).toEqual([
    { thread: 'first', dueAt: 1 },
    { thread: 'second', dueAt: 2 },
  ])
})

test.skipIf(noPostgres)('an index takes no batch that another process has put', async () => {
  const url = await server.newDatabase()
  const [one, other] = [await stored(url), await stored(url)]
  await one.threadIndex.begin('g')
  const put = (store: typeof one, position: string, head: number) =>
    store.threadIndex.put({ generation: 'g', position }, [{ thread: 't', head }])
  expect(await put(one, at(90), 2)).toBe(true)
  expect(await put(other, at(9), 1)).toBe(true)
  expect(await other.threadIndex.list('g', { limit: 1 })).toMatchObject([{ thread: 't', head: 2 }])
  expect(await one.threadIndex.load()).toEqual({ generation: 'g', position: at(90) })
})

test.skipIf(noPostgres)('a value of the greatest length is found in the index', async () => {
  const { threadIndex } = await stored(await server.newDatabase())
  await threadIndex.begin('g')
  const long = '\uFFFF'.repeat(INDEX_TEXT_CHARS_MAX)
  await threadIndex.put({ generation: 'g', position: '1' }, [
    { thread: 't', head: 0, values: { long } },
  ])
  const found = await threadIndex.list('g', { where: { long: [long] }, limit: 10 })
  expect(found).toMatchObject([{ thread: 't', values: { long } }])
})

test.skipIf(noPostgres)('a changed snapshot, and one of another key, is not used', async () => {
  const url = await server.newDatabase()
  const { snapshots } = await stored(url)
  const key = { name: 'fold', version: '1' }
  for (const seq of [4, 8]) await snapshots.put('t', key, { seq, hash: 'h', body: '{}' })
  await execute(url, `UPDATE throughline.snapshots SET body = '{"n":1}' WHERE seq = 8`)
  expect(await snapshots.latest('t', { ...key, upTo: 9 })).toMatchObject({ seq: 4 })
  await snapshots.put('t', key, { seq: 12, hash: 'h', body: '{}' })
  expect(await execute(url, 'SELECT seq::int FROM throughline.snapshots ORDER BY seq')).toEqual([
    { seq: 8 },
    { seq: 12 },
  ])
})

test.skipIf(noPostgres)('a log of an earlier release gets the tables beside it', async () => {
  const url = await server.newDatabase()
  const first = await stored(url)
  await first.log.append('t', counted(0, 3))
  await first.close()
  await execute(
    url,
    "DELETE FROM throughline.meta WHERE key = 'side_format'",
    'DROP TABLE throughline.cursors, throughline.index_facts',
  )
  const { log, cursors } = await stored(url)
  expect(await log.head('t')).toBe(2)
  expect(await cursors.load(WORK)).toBeUndefined()
})

test.skipIf(noPostgres)(
  'an index of an earlier format is made anew, and consumers go on where they were',
  async () => {
    const url = await server.newDatabase()
    const first = await stored(url)
    await first.close()
    await execute(
      url,
      "UPDATE throughline.meta SET value = '1' WHERE key = 'side_format'",
      "INSERT INTO throughline.cursors VALUES ('webhooks', 'p', '7', 0, 0)",
      "INSERT INTO throughline.index_threads VALUES ('t', 1, NULL, 0, 0, NULL)",
    )
    await stored(url)
    const read = (text: string) => execute(url, text)
    expect(await read('SELECT consumer FROM throughline.cursors')).toEqual([
      { consumer: 'webhooks' },
    ])
    expect(await read('SELECT thread FROM throughline.index_threads')).toEqual([])
  },
)

test.skipIf(noPostgres)('a range and an ordered list read an index of the database', async () => {
  const url = await server.newDatabase()
  const { threadIndex } = await stored(url)
  await threadIndex.begin('g')
  const threads = Array.from({ length: 10_000 }, (_, n) => ({
    thread: `t${n}`,
    head: 0,
    values: { amount: n, status: n % 2 ? 'open' : 'closed' },
  }))
  await threadIndex.put({ generation: 'g', position: '1' }, threads)
  await execute(url, 'ANALYZE throughline.index_facts, throughline.index_threads')
  const planOf = async ({ text, values }: { text: string; values: readonly unknown[] }) => {
    const given = text.replaceAll(/\$(\d+)/g, (_, at) => `'${String(values[Number(at) - 1])}'`)
    return JSON.stringify(await execute(url, `EXPLAIN (COSTS off) ${given}`))
  }
  const where = { amount: { gte: 5_000, lt: 5_010 } }
  const orderBy = { name: 'amount', direction: 'desc' } as const
  const after = { rank: 5_000, key: indexKey(4_999) }
  for (const query of [{ where }, { orderBy }, { orderBy, after }, { orderBy, where }]) {
    const plan = await planOf(selectionOf('g', { limit: 10, ...query }))
    expect(plan, JSON.stringify(query)).toContain('index_facts_pkey')
    expect(plan).not.toContain('Seq Scan on index_facts')
  }
  expect(await planOf(countOf('g', { where }))).toContain('index_facts_pkey')
  const found = await threadIndex.list('g', { orderBy, after, limit: 2 })
  expect(found?.map(({ thread }) => thread)).toEqual(['t4998', 't4997'])
  expect(await threadIndex.count('g', { where })).toBe(10)
})
