import { hash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { MemoryKeys, keysContract, newSubjectKey } from '../log/index.ts'
import { randomBytes } from '../platform/index.ts'
import { openKeys } from './open-keys.ts'
import { openLog } from './open-log.ts'
import { execute, noPostgres, postgresServer } from './postgres/postgres-server.fixture.ts'
import { freshPath } from './sqlite-folder.fixture.ts'

const server = postgresServer()
const memory = () => new MemoryKeys(() => newSubjectKey(randomBytes))

for (const { name, run } of keysContract(memory)) test(`memory: ${name}`, run)
for (const { name, run } of keysContract(() => openKeys(`sqlite:${freshPath()}`))) {
  test(`sqlite: ${name}`, run)
}
const inPostgres = keysContract(async () => openKeys(await server.emptiedDatabase()))
for (const { name, run } of inPostgres) test.skipIf(noPostgres)(`postgres: ${name}`, run)

test('[L4] an erased key is in no byte of its file or of its write-ahead log', async () => {
  const path = freshPath()
  const keys = await openKeys(`sqlite:${path}`)
  const states = await Promise.all(['a', 'b'].map((subject) => keys.keyOf(subject)))
  const [a = '', b = ''] = states.map((state) =>
    state.status === 'kept' ? Buffer.from(state.key.bytes).toString('latin1') : '',
  )
  const bytes = () =>
    [path, `${path}-wal`].map((file) => readFileSync(file).toString('latin1')).join('\n')
  expect([bytes().includes(a), bytes().includes(b)]).toEqual([true, true])
  await keys.erase('a', { at: 1, by: 'kim', why: 'asked' })
  expect([bytes().includes(a), bytes().includes(b)]).toEqual([false, true])
  await keys.close()
})

test('keys are the same when their file is opened again, and only its owner reads it', async () => {
  const path = freshPath()
  const before = await openKeys(`sqlite:${path}`)
  const made = await before.keyOf('a')
  await before.follow(4)
  await before.close()
  const after = await openKeys(`sqlite:${path}`)
  expect(await after.keyOf('a')).toEqual(made)
  expect([after.id, await after.followed()]).toEqual([before.id, 4])
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  await after.close()
})

test('a file of something else is refused and left as it is', async () => {
  const path = freshPath()
  writeFileSync(path, 'a letter')
  const digest = hash('sha256', readFileSync(path))
  await expect(openKeys(`sqlite:${path}`)).rejects.toMatchObject({ code: 'corrupt' })
  expect(hash('sha256', readFileSync(path))).toBe(digest)
  await expect(openKeys('redis://keys')).rejects.toMatchObject({ code: 'configuration' })
})

test('a database of another program, or a log, is refused and left as it is', async () => {
  const path = freshPath()
  const other = new DatabaseSync(path)
  other.exec('CREATE TABLE mine (a INTEGER)')
  other.close()
  const log = freshPath()
  await (await openLog(`sqlite:${log}`)).close()
  for (const each of [path, log]) {
    const digest = hash('sha256', readFileSync(each))
    await expect(openKeys(`sqlite:${each}`)).rejects.toThrow('it is not a store of keys')
    expect(hash('sha256', readFileSync(each))).toBe(digest)
  }
})

test.skipIf(noPostgres)('servers that open the keys together share them', async () => {
  const url = await server.newDatabase()
  const stores = await Promise.all([1, 2, 3].map(() => openKeys(url)))
  const made = await Promise.all(stores.map((keys) => keys.keyOf('a')))
  expect(new Set(made.map((state) => JSON.stringify(state))).size).toBe(1)
  expect(new Set(stores.map(({ id }) => id)).size).toBe(1)
  expect(await execute(url, 'SELECT subject FROM throughline_keys.keys')).toHaveLength(1)
  await Promise.all(stores.map((keys) => keys.close()))
})

test.skipIf(noPostgres)(
  'a user who may not make the schema is told what an administrator has to do',
  async () => {
    const url = await server.newDatabase()
    await execute(url, 'CREATE ROLE plain LOGIN')
    const asPlain = url.replace('postgres@', 'plain@')
    await expect(openKeys(asPlain)).rejects.toMatchObject({ code: 'configuration' })
    await expect(openKeys(asPlain)).rejects.toThrow('ALTER SCHEMA throughline_keys OWNER TO plain')
    await execute(url, 'CREATE SCHEMA throughline_keys AUTHORIZATION plain')
    const keys = await openKeys(asPlain)
    expect(await keys.keyOf('a')).toMatchObject({ status: 'kept' })
    await keys.close()
  },
)
