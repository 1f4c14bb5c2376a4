import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { execute, noPostgres, postgresServer } from '../storage/postgres/postgres-server.fixture.ts'
import { remembered } from '../storage/postgres/turned-back.fixture.ts'
import { counted } from '../storage/sqlite-folder.fixture.ts'
import { openLog } from '../storage/index.ts'
import { SECRET, throughline } from './throughline.fixture.ts'

const server = postgresServer()
const OTHER = 'another-secret-of-at-least-32-characters'
const COUNT = 150

const of = (thread: string) =>
  `thread = (SELECT number FROM throughline.threads WHERE name = '${thread}')`

/** Each thread is edited as its name says; the position and the words of the fault that must be found. */
const EDITS = {
  'body changed': [
    `UPDATE throughline.records SET body = replace(body, '"n":7', '"n":8') WHERE ${of('body changed')} AND seq = 7`,
    'at 7: its hash is not the one of its bytes and the record before',
  ],
  'hash changed': [
    `UPDATE throughline.records SET hash = repeat('0', 64) WHERE ${of('hash changed')} AND seq = 9`,
    'at 9: its hash is not the one',
  ],
  'id changed': [
    `UPDATE throughline.records SET id = gen_random_uuid() WHERE ${of('id changed')} AND seq = 3`,
    'at 3: its body has another id',
  ],
  'row deleted': [
    `DELETE FROM throughline.records WHERE ${of('row deleted')} AND seq = 70`,
    'at 70: missing; the next one there is 71',
  ],
  'tail deleted': [
    `DELETE FROM throughline.records WHERE ${of('tail deleted')} AND seq > 100`,
    `at 101: missing; the heads say that the thread reaches ${COUNT - 1}`,
  ],
  'all deleted': [
    `DELETE FROM throughline.records WHERE ${of('all deleted')}`,
    `at 0: missing; the heads say that the thread reaches ${COUNT - 1}`,
  ],
  'rows exchanged': [
    `UPDATE throughline.records SET seq = 1000 - seq WHERE ${of('rows exchanged')} AND seq IN (20, 21);
     UPDATE throughline.records SET seq = CASE seq WHEN 980 THEN 21 ELSE 20 END
       WHERE ${of('rows exchanged')} AND seq IN (979, 980)`,
    'at 20: its hash is not the one',
  ],
  'record of another': [
    `UPDATE throughline.records SET ${of('sound')}, seq = ${COUNT}
      WHERE ${of('record of another')} AND seq = ${COUNT - 1}`,
    `at ${COUNT - 1}: missing`,
  ],
  renamed: [
    "UPDATE throughline.threads SET name = 'renamed since' WHERE name = 'renamed'",
    'at 0: its body has another thread',
  ],
} as const

/** A log with these threads. */
async function logWith(...threads: readonly string[]): Promise<string> {
  const url = await server.newDatabase()
  const log = await openLog(url, { anchorKeys: [SECRET] })
  for (const thread of threads) await log.append(thread, counted(0, COUNT))
  await log.close()
  return url
}

test.skipIf(noPostgres)(
  '[L1] the verifier finds each edit of the tables by hand, where the log itself finds it',
  async () => {
    const url = await logWith('sound', ...Object.keys(EDITS))
    const clean = await throughline(['verify', url])
    expect(clean).toMatchObject({ code: 0, stderr: '' })
    expect(clean.stdout.split('\n')).toHaveLength(Object.keys(EDITS).length + 2)
    expect(clean.stdout).toMatch(
      /^sound "sound" up to 149 ([0-9a-f]{64}); anchored at 149 \1 \d+\n/,
    )
    for (const [edit] of Object.values(EDITS)) await execute(url, edit)
    const { code, stdout } = await throughline(['verify', url])
    expect(code).toBe(1)
    const log = await openLog(url, { anchorKeys: [SECRET] })
    for (const [thread, [, fault]] of Object.entries(EDITS)) {
      const name = thread === 'renamed' ? 'renamed since' : thread
      expect(stdout).toContain(`unsound "${name}" ${fault}`)
      const verdict = await log.verify(name)
      expect(verdict).toMatchObject({ firstBadSeq: Number(/\d+/.exec(fault)?.[0]) })
    }
    await log.close()
    // The thread that got the record of another one.
    expect(stdout).toContain(`unsound "sound" at ${COUNT}: its hash is not the one`)
    const one = await throughline(['verify', url, 'tail deleted'])
    expect(one.stdout.trim().split('\n')).toHaveLength(1)
  },
)

test.skipIf(noPostgres)(
  '[L1] a head that is behind vouches for nothing after it, and a forged one for nothing at all',
  async () => {
    const url = await server.newDatabase()
    const log = await openLog(url, { anchorKeys: [SECRET] })
    for (const thread of ['behind', 'forged', 'written anew'])
      await log.append(thread, counted(0, 5))
    const columns = 'number, seq, hash, ts, sum'
    await execute(url, `CREATE TABLE kept AS SELECT ${columns} FROM throughline.threads`)
    for (const thread of ['behind', 'forged']) await log.append(thread, counted(5, 8))
    await log.close()
    const put = `UPDATE throughline.threads t SET (${columns}) = (k.number, k.seq, k.hash, k.ts, k.sum) FROM kept k`
    await execute(
      url,
      `${put} WHERE k.number = t.number AND name = 'behind'`,
      "UPDATE throughline.threads SET ts = ts + 1 WHERE name = 'forged'",
    )
    const { code, stdout } = await throughline(['verify', url])
    expect(code).toBe(3)
    expect(stdout).toMatch(/sound "behind" up to 7 .*; anchored at 4 .*; unanchored 5-7\n/)
    expect(stdout).toMatch(/sound "forged" up to 7 [0-9a-f]{64}; unanchored 0-7\n/)
    await execute(
      url,
      `DELETE FROM throughline.records WHERE ${of('written anew')} AND seq > 1`,
      `UPDATE throughline.threads SET seq = 1, hash = (SELECT hash FROM throughline.records
        WHERE ${of('written anew')} AND seq = 1) WHERE name = 'written anew'`,
    )
    const shorter = await throughline(['verify', url, 'written anew'])
    expect(shorter).toMatchObject({ code: 3 })
    expect(shorter.stdout).toContain('; unanchored 0-1')
  },
)

test.skipIf(noPostgres)(
  'with another SECRET, another schema or no server there is no verdict; one of several is enough',
  async () => {
    const url = await logWith('sound')
    const foreign = await throughline(['verify', url], { SECRET: OTHER })
    expect(foreign).toMatchObject({
      code: 2,
      stdout: 'cannot tell: its heads are signed with none of the keys given\n',
    })
    expect(await throughline(['verify', url], { SECRET: `${OTHER},${SECRET}` })).toMatchObject({
      code: 0,
    })
    expect(await throughline(['verify', await server.newDatabase()])).toMatchObject({ code: 2 })
    expect(await throughline(['verify', 'postgres://postgres@127.0.0.1:1/none'])).toMatchObject({
      code: 2,
    })
    await execute(url, "UPDATE throughline.meta SET value = '9' WHERE key = 'format'")
    const { stdout } = await throughline(['verify', url])
    expect(stdout).toBe('cannot tell: it is a log of format 9\n')
  },
)

test.skipIf(noPostgres)(
  'the verifier writes nothing: a user who may only read runs it, also while the log is written',
  async () => {
    const url = await logWith('sound', 'lost')
    const rights = ['USAGE ON SCHEMA throughline', 'SELECT ON ALL TABLES IN SCHEMA throughline']
    await execute(
      url,
      'CREATE ROLE auditor LOGIN',
      ...rights.map((each) => `GRANT ${each} TO auditor`),
    )
    const log = await openLog(url, { anchorKeys: [SECRET] })
    let isWriting = true
    const writing = (async () => {
      for (let n = COUNT; isWriting; n++) await log.append('sound', counted(n, n + 1))
    })()
    const reader = url.replace('postgres@127.0.0.1', 'auditor@127.0.0.1:1,127.0.0.1')
    const { code, stdout } = await throughline(['verify', reader])
    isWriting = false
    await writing
    await log.close()
    expect([code, stdout.includes('unanchored')]).toEqual([0, false])
    await execute(url, "DELETE FROM throughline.threads WHERE name = 'lost'")
    const lost = await throughline(['verify', url])
    expect(lost).toMatchObject({ code: 1 })
    expect(lost.stdout).toContain(`unsound: ${COUNT} records belong to no thread`)
  },
)

test('a SQLite log is verified under one of several secrets', async () => {
  const store = `sqlite:${join(newFolder(), 'log.db')}`
  const log = await openLog(store, { anchorKeys: [SECRET] })
  await log.append('t', counted(0, 3))
  await log.close()
  expect(await throughline(['verify', store])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^sound "t" up to 2 /) as string,
  })
  expect(await throughline(['verify', store], { SECRET: `${OTHER},${SECRET}` })).toMatchObject({
    code: 0,
  })
  expect(await throughline(['verify', store], { SECRET: OTHER })).toMatchObject({ code: 2 })
  expect(await throughline(['verify'])).toMatchObject({ code: 2 })
})

test.skipIf(noPostgres)(
  '[L1] with the heads that a server keeps outside, the verifier finds what an earlier state lacks',
  async () => {
    const [url, heads] = [await server.newDatabase(), join(newFolder(), 'heads')]
    const log = await openLog(url, { anchorKeys: [SECRET], headsFile: heads })
    await log.append('kept', counted(0, 3))
    await log.append('shorter', counted(0, 3))
    const goBack = [await remembered(url, 'shorter'), await remembered(url, 'gone')]
    await log.append('shorter', counted(3, 5))
    await log.append('gone', counted(0, 2))
    await log.close()
    const env = { HEADS_FILE: heads }
    expect(await throughline(['verify', url], env)).toMatchObject({ code: 0 })
    for (const go of goBack) await go()
    expect(await throughline(['verify', url])).toMatchObject({ code: 0 })
    const { code, stdout } = await throughline(['verify', url], env)
    expect(code).toBe(1)
    expect(stdout).toContain('sound "kept" up to 2')
    expect(stdout).toContain(
      'unsound "shorter" at 3: missing; the heads say that the thread reaches 4',
    )
    expect(stdout).toContain(
      'unsound "gone" at 0: missing; the heads say that the thread reaches 1',
    )
    const none = await throughline(['verify', url], { HEADS_FILE: `${heads}.none` })
    expect(none).toMatchObject({ code: 2 })
    expect(none.stdout).toContain('there is no heads file')
  },
)
