import { expect, onTestFinished, test } from 'vitest'
import {
  INDEX_TEXT_CHARS_MAX,
  ShelvedCursors,
  ThreadIndex,
  indexKey,
  shelfNamed,
  shelvesContract,
  shelvesNamed,
} from '../../log/index.ts'
import type { LogError } from '../../log/index.ts'
import { threadIndexContract } from '../../log/thread-index.contract.ts'
import { openStore } from '../open-store.ts'
import { ShelfSelection } from '../sql/shelf-selection.ts'
import { counted } from '../sqlite-folder.fixture.ts'
import { execute, noPostgres, postgresServer } from './postgres-server.fixture.ts'

const server = postgresServer()

/** A store as one of several processes has it. */
async function stored(url: string) {
  const faults: LogError[] = []
  const onFault = (error: LogError): void => void faults.push(error)
  const { shelves, snapshots, ...store } = await openStore(url, { onFault })
  onTestFinished(() => store.close())
  if (!shelves || !snapshots) throw new TypeError('Nothing is kept beside the log')
  const cursors = new ShelvedCursors(shelves, onFault)
  const threadIndex = new ThreadIndex(shelves)
  return { ...store, shelves, snapshots, cursors, threadIndex, faults }
}

const at = (xid: number, thread = 1): string => `2 ${xid}-${thread}-0123456789abcdef`
const WORK = 'work'

if (!noPostgres) {
  const emptied = async () => stored(await server.emptiedDatabase())
  const shelves = async () => (await emptied()).shelves
  for (const { name, run } of shelvesContract(shelves)) test(name, run)
  const index = async () => (await emptied()).threadIndex
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
  await execute(url, 'ALTER TABLE throughline.shelves RENAME TO away')
  await cursors.save(WORK, at(1), [{ thread: 'first', dueAt: 1 }])
  expect(faults).toMatchObject([{ code: 'configuration' }])
  await execute(url, 'ALTER TABLE throughline.away RENAME TO shelves')
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
  await execute(
    url,
    `UPDATE throughline.unlogged_shelves SET value = replace(value, '{}', '{"n":1}') WHERE rank = 8`,
  )
  expect(await snapshots.latest('t', { ...key, upTo: 9 })).toMatchObject({ seq: 4 })
  await snapshots.put('t', key, { seq: 12, hash: 'h', body: '{}' })
  const kept = 'SELECT rank::int AS seq, count(*)::int FROM throughline.unlogged_shelves'
  expect(await execute(url, `${kept} GROUP BY rank ORDER BY rank`)).toEqual([
    { seq: 8, count: 2 },
    { seq: 12, count: 2 },
  ])
  await snapshots.forget('t')
  expect(await execute(url, 'SELECT key FROM throughline.unlogged_shelves')).toEqual([])
})

test.skipIf(noPostgres)('a log without the tables beside it gets them', async () => {
  const url = await server.newDatabase()
  const first = await stored(url)
  await first.log.append('t', counted(0, 3))
  await first.close()
  await execute(
    url,
    "DELETE FROM throughline.meta WHERE key = 'side_format'",
    'DROP TABLE throughline.shelves, throughline.unlogged_shelves',
  )
  const { log, cursors } = await stored(url)
  expect(await log.head('t')).toBe(2)
  expect(await cursors.load(WORK)).toBeUndefined()
})

/** What release 0.2.0 made beside its log, with a few of its columns. */
const TABLES_OF_0_2 = `
  CREATE TABLE throughline.cursors (
    consumer text PRIMARY KEY, prefix text NOT NULL, position text NOT NULL, xid numeric NOT NULL,
    thread bigint NOT NULL
  );
  CREATE TABLE throughline.open_threads (
    consumer text NOT NULL, thread text COLLATE "C" NOT NULL, due_at bigint NOT NULL,
    PRIMARY KEY (consumer, thread)
  );
  CREATE TABLE throughline.index_state (one boolean);
  CREATE TABLE throughline.index_threads (thread text);
  CREATE TABLE throughline.index_facts (name text);
  CREATE TABLE throughline.snapshots (thread text);
  UPDATE throughline.meta SET value = '2' WHERE key = 'side_format';
  DROP TABLE throughline.shelves, throughline.unlogged_shelves`

test.skipIf(noPostgres)(
  'the consumers of a database of 0.2 go on where they were, and its other tables go',
  async () => {
    const url = await server.newDatabase()
    await (await stored(url)).close()
    const odd = '"é\u0001\\'
    const [other] = await execute(url, `SELECT '${odd}' AS name`)
    await execute(
      url,
      TABLES_OF_0_2,
      `INSERT INTO throughline.cursors VALUES ('work', '2 ', '${at(7)}', 7, 1),
        ('${odd}', '2 ', '${at(8)}', 8, 1)`,
      `INSERT INTO throughline.open_threads VALUES ('work', 'late', 9), ('work', 'soon', 1),
        ('${odd}', 'other', 0)`,
    )
    const { cursors, faults } = await stored(url)
    expect(await cursors.load(WORK)).toBe(at(7))
    expect(await cursors.open(WORK)).toEqual([
      { thread: 'soon', dueAt: 1 },
      { thread: 'late', dueAt: 9 },
    ])
    expect(await cursors.load(String(other?.['name']))).toBe(at(8))
    expect(await cursors.open(String(other?.['name']))).toHaveLength(1)
    const left = `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace =
      'throughline'::regnamespace AND relname ~ 'index|snapshots|cursors|open_threads'`
    expect(await execute(url, left)).toEqual([])
    expect(faults).toEqual([])
  },
)

test.skipIf(noPostgres)('a name that no index of the database takes is kept whole', async () => {
  const { shelves } = await stored(await server.newDatabase())
  const names = ['a', 'b'].map((end) => shelfNamed('long', 'é'.repeat(5_000) + end))
  const put = names.map((shelf) => ({ shelf, key: 'k', sort: '', rank: 0, value: shelf }))
  await shelves.change({ put })
  for (const shelf of names) {
    expect(await shelves.get({ shelf, key: 'k' })).toMatchObject({ shelf, value: shelf })
    expect(await shelves.count({ by: { shelf } })).toBe(1)
  }
  const [first = '', second = ''] = names
  await shelves.change({ remove: [{ shelf: first, key: 'k' }] })
  expect(await shelves.count({ by: { shelf: first } })).toBe(0)
  expect(await shelves.count({ by: { shelf: second } })).toBe(1)
  await shelves.change({ remove: [{ shelf: shelvesNamed('long') }] })
  expect(await shelves.count({ by: { shelf: second } })).toBe(0)
})

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
  await execute(url, 'ANALYZE throughline.shelves')
  const by = { shelf: shelfNamed('index', 'by', 'amount') }
  const bounds = [
    { operator: '>=', key: indexKey(5_000) },
    { operator: '<', key: indexKey(5_010) },
  ] as const
  const planOf = async (statement: (selection: ShelfSelection) => string) => {
    const selection = new ShelfSelection('throughline.shelves', '$')
    const text = statement(selection)
    const given = text.replaceAll(/\$(\d+)/g, (_, n) => `'${selection.values[Number(n) - 1]}'`)
    return JSON.stringify(await execute(url, `EXPLAIN (COSTS off) ${given}`))
  }
  const orders = { order: 'sort', direction: 'desc', limit: 10 } as const
  const after = { sort: indexKey(4_999), rank: 5_000 }
  const rank = { order: 'rank', by: { ...by, sorts: [indexKey(7)] } } as const
  for (const listing of [{ by: { ...by, bounds } }, { by }, { by, after }, rank]) {
    const plan = await planOf((selection) =>
      selection.list(shelfNamed('index', 'threads'), { ...orders, ...listing }),
    )
    expect(plan, JSON.stringify(listing)).toContain('shelves_in_order')
    expect(plan).not.toContain('Seq Scan')
    expect(plan).not.toContain('Sort Key')
  }
  expect(await planOf((selection) => selection.count({ by: { ...by, bounds } }))).toContain(
    'shelves_in_order',
  )
  const orderBy = { name: 'amount', direction: 'desc' } as const
  const place = { rank: 5_000, key: indexKey(4_999) }
  const found = await threadIndex.list('g', { orderBy, after: place, limit: 2 })
  expect(found?.map(({ thread }) => thread)).toEqual(['t4998', 't4997'])
  const where = { amount: { gte: 5_000, lt: 5_010 } }
  expect(await threadIndex.count('g', { where })).toBe(10)
})
