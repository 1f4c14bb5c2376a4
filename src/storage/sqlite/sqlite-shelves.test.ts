import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { ThreadIndex, shelfNamed, shelvesContract } from '../../log/index.ts'
import type { LogError, ShelfListing } from '../../log/index.ts'
import { threadIndexContract } from '../../log/thread-index.contract.ts'
import { openStore } from '../open-store.ts'
import { besideLog } from '../shelves.fixture.ts'
import { ShelfSelection } from '../sql/shelf-selection.ts'
import { freshPath, tamper } from '../sqlite-folder.fixture.ts'
import { SqliteShelves } from './sqlite-shelves.ts'

const onFault = (error: LogError): never => {
  throw error
}
const open = () => new SqliteShelves(freshPath(), { onFault })

for (const { name, run } of shelvesContract(open)) test(name, run)
for (const { name, run } of threadIndexContract(() => new ThreadIndex(open()))) {
  test(name, run)
}

test('shelves keep what is on them when they are closed and opened again', async () => {
  const path = freshPath()
  const before = besideLog(path, { onFault })
  const state = { generation: 'g', position: '1' }
  await before.threadIndex.begin('g')
  await before.threadIndex.put(state, [{ thread: 't', head: 0, values: { status: 'open' } }])
  await before.shelves.close()
  const after = besideLog(path, { onFault })
  expect(await after.threadIndex.load()).toEqual(state)
  const found = await after.threadIndex.list('g', { where: { status: ['open'] }, limit: 10 })
  expect(found).toEqual([{ thread: 't', head: 0, rank: 1, values: { status: 'open' } }])
  await after.shelves.close()
})

test('a damaged file is begun anew, and closed shelves hold nothing', async () => {
  const path = freshPath()
  writeFileSync(`${path}.side`, 'no database, but long enough to be taken for one'.repeat(100))
  const faults: string[] = []
  const { shelves, threadIndex } = besideLog(path, { onFault: ({ code }) => faults.push(code) })
  expect(await threadIndex.load()).toBeUndefined()
  expect(faults).toEqual(['corrupt'])
  await threadIndex.begin('g')
  expect(await threadIndex.load()).toEqual({ generation: 'g', position: '' })
  await shelves.close()
  expect(await threadIndex.put({ generation: 'g', position: '1' }, [])).toBe(false)
  expect(await threadIndex.list('g', { limit: 1 })).toBeUndefined()
})

test('a file of another format is begun anew without a fault', async () => {
  const path = freshPath()
  tamper(path, 'PRAGMA user_version = 1', 'CREATE TABLE snapshots (thread TEXT)')
  const shelves = new SqliteShelves(path, { onFault })
  await shelves.change({ put: [{ shelf: 's', key: 'k', sort: '', rank: 0, value: 'v' }] })
  expect(await shelves.get({ shelf: 's', key: 'k' })).toMatchObject({ value: 'v' })
  await shelves.close()
})

test('no file is made before the first use', async () => {
  const path = freshPath()
  const store = await openStore(`sqlite:${path}`)
  expect([existsSync(`${path}.side`), existsSync(`${path}.snapshots`)]).toEqual([false, false])
  await store.close()
})

/** The tables of release 0.2.0. */
const CURSORS_OF_0_2 = `
  CREATE TABLE cursors (consumer TEXT PRIMARY KEY, position TEXT NOT NULL) STRICT;
  CREATE TABLE rows (
    consumer TEXT NOT NULL, thread TEXT NOT NULL, due_at INTEGER NOT NULL,
    PRIMARY KEY (consumer, thread)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 1`

test('the consumers of a store of 0.2 go on where they were, and its other files go', async () => {
  const path = freshPath()
  tamper(
    `${path}.cursors`,
    CURSORS_OF_0_2,
    `INSERT INTO cursors VALUES ('hooks', '1 7-0123456789abcdef'), ('work', '2 9-0123456789abcdef')`,
    `INSERT INTO rows VALUES ('hooks', 'late', 9), ('hooks', 'soon', 1), ('work', 'other', 0)`,
  )
  tamper(`${path}.threads`, 'CREATE TABLE threads (thread TEXT)', 'PRAGMA user_version = 2')
  tamper(`${path}.snapshots`, 'CREATE TABLE snapshots (thread TEXT)', 'PRAGMA user_version = 1')
  const store = await openStore(`sqlite:${path}`, { onFault })
  const key = { name: 'fold', version: '1' }
  expect(await store.snapshots?.latest('t', { ...key, upTo: 9 })).toBeUndefined()
  await store.close()
  const { shelves, cursors } = besideLog(path, { onFault })
  expect(await cursors.load('hooks')).toBe('1 7-0123456789abcdef')
  expect(await cursors.open('hooks')).toEqual([
    { thread: 'soon', dueAt: 1 },
    { thread: 'late', dueAt: 9 },
  ])
  expect(await cursors.load('work')).toBe('2 9-0123456789abcdef')
  await cursors.save('work', '2 12-0123456789abcdef', [])
  await shelves.close()
  expect([existsSync(`${path}.cursors`), existsSync(`${path}.threads`)]).toEqual([false, false])
})

test('a cursor that was carried over before stays as it is by now', async () => {
  const path = freshPath()
  const before = besideLog(path, { onFault })
  await before.cursors.save('work', '2 12-0123456789abcdef', [])
  await before.shelves.close()
  const old = `INSERT INTO cursors VALUES ('work', '2 9-0123456789abcdef')`
  tamper(`${path}.cursors`, CURSORS_OF_0_2, old)
  await (await openStore(`sqlite:${path}`, { onFault })).close()
  const { shelves, cursors } = besideLog(path, { onFault })
  expect(await cursors.load('work')).toBe('2 12-0123456789abcdef')
  await shelves.close()
})

test('cursors of 0.2 that cannot be written stay for the next start', async () => {
  const path = freshPath()
  const old = `INSERT INTO cursors VALUES ('work', '2 9-0123456789abcdef')`
  tamper(`${path}.cursors`, CURSORS_OF_0_2, old)
  mkdirSync(`${path}.side`)
  await (await openStore(`sqlite:${path}`, { onFault: () => undefined })).close()
  expect(existsSync(`${path}.cursors`)).toBe(true)
  rmdirSync(`${path}.side`)
  await (await openStore(`sqlite:${path}`, { onFault })).close()
  const { shelves, cursors } = besideLog(path, { onFault })
  expect(await cursors.load('work')).toBe('2 9-0123456789abcdef')
  await shelves.close()
})

test('damaged cursors of 0.2 are reported and removed', async () => {
  const path = freshPath()
  writeFileSync(`${path}.cursors`, 'no database, but long enough to be taken for one'.repeat(100))
  const faults: string[] = []
  const store = await openStore(`sqlite:${path}`, { onFault: ({ code }) => faults.push(code) })
  await store.close()
  expect(faults).toEqual(['corrupt'])
  expect(existsSync(`${path}.cursors`)).toBe(false)
})

const SHELF = shelfNamed('amount')
const LEAD = 'SEARCH lead USING COVERING INDEX entries_in_order (shelf=?'
const above = { operator: '>=', key: '5' } as const
const below = { operator: '<', key: '9' } as const

test.each([
  [{ by: { shelf: SHELF, bounds: [above, below] } }, `${LEAD} AND sort>? AND sort<?)`],
  [{ by: { shelf: SHELF } }, `${LEAD})`],
  [{ by: { shelf: SHELF }, after: { sort: '3', rank: 1 } }, `${LEAD} AND (sort,rank)<(?,?))`],
  [{ by: { shelf: SHELF, sorts: [''] }, order: 'rank' }, `${LEAD} AND sort=?)`],
] satisfies [Pick<ShelfListing, 'by'> & Partial<ShelfListing>, string][])(
  'the list %j reads a part of the index in its order',
  async (listing, search) => {
    const plan = await planOf((selection) =>
      selection.list('s', { order: 'sort', direction: 'desc', ...listing }),
    )
    expect(plan).toContain(search)
    expect(plan).not.toContain('USE TEMP B-TREE FOR ORDER BY')
  },
)

test('a further shelf is looked up by the rank under a sort', async () => {
  const plan = await planOf((selection) =>
    selection.count({ by: { shelf: SHELF }, on: [{ shelf: 'b', sorts: ['c'] }] }),
  )
  const place = /other .*entries_in_order \(shelf=\? AND sort=\? AND rank=\? AND key=\?\)/
  expect(plan).toContainEqual(expect.stringMatching(place))
})

test('a further shelf is looked up by the key, not by its range', async () => {
  const plan = await planOf((selection) =>
    selection.count({ by: { shelf: SHELF }, on: [{ shelf: 'b', bounds: [above] }] }),
  )
  expect(plan).toContainEqual(expect.stringMatching(/other .*PRIMARY KEY \(key=\? AND shelf=\?\)/))
})

async function planOf(statement: (selection: ShelfSelection) => string) {
  const path = freshPath()
  const { shelves } = besideLog(path, { onFault })
  await shelves.change({})
  const database = new DatabaseSync(`${path}.side`)
  const selection = new ShelfSelection('entries', '?')
  const text = `EXPLAIN QUERY PLAN ${statement(selection)}`
  const steps = database.prepare(text).all(...selection.values)
  database.close()
  await shelves.close()
  return steps.map(({ detail }) => detail)
}
