import { expect, test } from 'vitest'
import { openLog } from '../open-log.ts'
import { counted } from '../sqlite-folder.fixture.ts'
import { poolerBefore } from './pooler.fixture.ts'
import { execute, noPostgres, postgresServer } from './postgres-server.fixture.ts'

const server = postgresServer()
const ONE = 'one key of more than thirty-two bytes'
const OTHER = 'another key of more than thirty-two bytes'

async function refusalOf(url: string, keys: readonly string[] = []): Promise<string> {
  const error: unknown = await openLog(url, { anchorKeys: keys }).catch((each: unknown) => each)
  expect(error).toMatchObject({ code: 'configuration' })
  return String(error)
}

test('an address without a database, or with unknown wake-ups, is refused without its password', async () => {
  for (const url of ['postgres://u:hidden@host', 'postgres://u:hidden@host/d?wakeups=bell']) {
    const refusal = await refusalOf(url)
    expect(refusal).toContain('Cannot open the log at its Postgres address')
    expect(refusal).not.toContain('hidden')
  }
})

test.skipIf(noPostgres)('settings that lose acknowledged records are refused', async () => {
  const url = await server.newDatabase()
  const name = url.split('/').at(-1) ?? ''
  await execute(url, `ALTER DATABASE ${name} SET synchronous_commit = off`)
  expect(await refusalOf(url)).toContain('"synchronous_commit" is off')
  await server.stop('fast')
  await server.start(['fsync=off'])
  expect(await refusalOf(await server.newDatabase())).toContain('"fsync" is off')
  await server.stop('fast')
  await server.start()
})

test.skipIf(noPostgres)(
  'a schema of something else, or of another format, is refused',
  async () => {
    const url = await server.newDatabase()
    await execute(url, 'CREATE SCHEMA throughline', 'CREATE TABLE throughline.mine (a int)')
    expect(await refusalOf(url)).toContain('its schema "throughline" is not a log')
    const old = await server.newDatabase()
    await (await openLog(old)).close()
    await execute(old, "UPDATE throughline.meta SET value = '0' WHERE key = 'format'")
    expect(await refusalOf(old)).toContain('a log of format 0')
  },
)

test.skipIf(noPostgres)(
  'a user who may only read, and a database that is missing, are refused',
  async () => {
    const url = await server.newDatabase()
    await execute(url, 'CREATE ROLE reader LOGIN')
    await refusalOf(url.replace('postgres@', 'reader@'))
    await refusalOf(url.replace(/store_\d+$/, 'missing'))
  },
)

test.skipIf(noPostgres)(
  'a user who may not use the tables of another is told what an administrator has to run',
  async () => {
    const url = await server.newDatabase()
    await execute(url, 'CREATE ROLE "log-owner" LOGIN', 'CREATE ROLE other LOGIN')
    await execute(url, 'CREATE SCHEMA throughline AUTHORIZATION "log-owner"')
    await (await openLog(url.replace('postgres@', 'log-owner@'))).close()
    const other = url.replace('postgres@', 'other@')
    const [, mend = ''] = /run: (.*)$/.exec(await refusalOf(other)) ?? []
    expect(mend).toBe('GRANT "log-owner" TO other')
    await execute(url, mend)
    await (await openLog(other)).close()
  },
)

test.skipIf(noPostgres)(
  'an empty schema that an administrator made is used, and without it the refusal says what to run',
  async () => {
    const url = await server.newDatabase()
    await execute(url, 'CREATE ROLE "log-keeper" LOGIN')
    const own = url.replace('postgres@', 'log-keeper@')
    const refusal = await refusalOf(own)
    const [, mend = ''] = /run: (.*)$/.exec(refusal) ?? []
    expect(mend).toContain('OWNER TO "log-keeper"')
    await execute(url, 'CREATE SCHEMA throughline')
    expect(await refusalOf(own)).toContain(mend)
    await execute(url, mend)
    const log = await openLog(own)
    expect(await log.append('t', counted(0, 1))).toHaveLength(1)
    await log.close()
  },
)

test.skipIf(noPostgres)(
  'behind a pooler that keeps no sessions the refusal says what to add to the address, which works',
  async () => {
    const url = await server.newDatabase()
    for (const kind of ['refuses settings', 'delivers no notices'] as const) {
      const pooler = await poolerBefore(server.port, kind)
      const pooled = url.replace(`:${server.port}/`, `:${pooler}/`)
      expect(await refusalOf(pooled)).toContain('add "?wakeups=poll" to the address')
      const log = await openLog(`${pooled}?wakeups=poll`)
      expect(await log.append(kind, counted(0, 1))).toHaveLength(1)
      await log.close()
    }
  },
)

test.skipIf(noPostgres)(
  '[X15] of two processes with different keys the second is refused, with both it is not',
  async () => {
    const url = await server.newDatabase()
    const log = await openLog(url, { anchorKeys: [ONE] })
    await log.append('t', counted(0, 1))
    expect(await refusalOf(url, [OTHER])).toContain('signed with none of the keys given')
    const rotated = await openLog(url, { anchorKeys: [OTHER, ONE] })
    expect(await rotated.append('t', counted(1, 2))).toHaveLength(1)
    await Promise.all([log.close(), rotated.close()])
  },
)

test.skipIf(noPostgres)(
  '[L1] rows that were changed by hand are reported, and nothing is appended after a forged head',
  async () => {
    const url = await server.newDatabase()
    const log = await openLog(url, { anchorKeys: [ONE] })
    for (const thread of ['a', 'b', 'c']) await log.append(thread, counted(0, 5))
    const of = (thread: string) =>
      `thread = (SELECT number FROM throughline.threads WHERE name = '${thread}')`
    await execute(
      url,
      `UPDATE throughline.records SET body = replace(body, '"n":2', '"n":3') WHERE ${of('a')} AND seq = 2`,
      `DELETE FROM throughline.records WHERE ${of('b')} AND seq = 4`,
      "UPDATE throughline.threads SET seq = 3 WHERE name = 'c'",
    )
    expect(await log.verify('a')).toMatchObject({ ok: false, firstBadSeq: 2 })
    expect(await log.verify('b')).toMatchObject({ ok: false, firstBadSeq: 4 })
    expect(await log.verify('c')).toMatchObject({ ok: false })
    await expect(log.append('c', counted(5, 6))).rejects.toMatchObject({ code: 'corrupt' })
    await log.close()
  },
)

test.skipIf(noPostgres)(
  'processes that open an empty database at once make its tables once',
  async () => {
    for (let round = 0; round < 3; round++) {
      const url = await server.newDatabase()
      const options = { anchorKeys: [ONE] }
      const logs = await Promise.all(Array.from({ length: 8 }, () => openLog(url, options)))
      expect(new Set(logs.map(({ epoch }) => epoch)).size).toBe(1)
      await Promise.all(logs.map((log) => log.close()))
    }
  },
)
