import { execFileSync } from 'node:child_process'
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { openLog } from '../open-log.ts'
import { counted } from '../sqlite-folder.fixture.ts'
import { execute, noPostgres, postgresServer } from './postgres-server.fixture.ts'
import { remembered } from './turned-back.fixture.ts'

const server = postgresServer()
const KEY = 'one key of more than thirty-two bytes'
const OTHER = 'another key of more than thirty-two bytes'
const COUNT = 5

const open = (url: string, headsFile: string, keys: readonly string[] = [KEY]) =>
  openLog(url, { anchorKeys: keys, headsFile })

/** A log with a few records, and the file of heads beside it. */
async function logWithHeads() {
  const [url, headsFile] = [await server.newDatabase(), join(newFolder(), 'kept', 'heads')]
  const log = await open(url, headsFile)
  for (const thread of ['a', 'b']) await log.append(thread, counted(0, COUNT))
  return { url, headsFile, log }
}

/** Another database with what this one holds now, as a backup that is put back later would. */
async function copyOf(url: string): Promise<string> {
  const name = url.split('/').at(-1) ?? ''
  const named = (other: string) => url.replace(name, other)
  await execute(named('postgres'), `CREATE DATABASE copy_of_${name} TEMPLATE ${name}`)
  return named(`copy_of_${name}`)
}

test.skipIf(noPostgres)(
  '[L1] a database that was put back to an earlier state, heads included, is refused at the start',
  async () => {
    const { url, headsFile, log } = await logWithHeads()
    await log.close()
    const earlier = await copyOf(url)
    const before = await open(url, headsFile)
    await before.append('b', counted(COUNT, COUNT + 1))
    await before.append('c', counted(0, 1))
    await before.close()
    const refusal = open(earlier, headsFile)
    await expect(refusal).rejects.toMatchObject({ code: 'configuration' })
    await expect(refusal).rejects.toThrow(`it does not hold the record ${COUNT} of "b"`)
    await expect(refusal).rejects.toThrow('put back to an earlier state')
    const same = await open(url, headsFile)
    expect(await same.verify('b')).toMatchObject({ ok: true, head: COUNT, unanchored: 0 })
    await same.close()
    renameSync(headsFile, `${headsFile}.before`)
    const accepted = await open(earlier, headsFile)
    await accepted.append('b', counted(COUNT, COUNT + 1))
    expect(await accepted.verify('b')).toMatchObject({ ok: true, head: COUNT, unanchored: 0 })
    await accepted.close()
    await expect(open(url, headsFile)).rejects.toThrow(`the record ${COUNT} of "b"`)
  },
)

test.skipIf(noPostgres)(
  '[L1] of a database that goes back under a running log, threads that lost records are not appended to',
  async () => {
    const { url, log } = await logWithHeads()
    const goBack = [await remembered(url, 'a'), await remembered(url, 'c')]
    await log.append('a', counted(COUNT, COUNT + 2))
    await log.append('c', counted(0, 1))
    for (const go of goBack) await go()
    const refusal = log.append('a', counted(9, 10))
    await expect(refusal).rejects.toMatchObject({ code: 'corrupt' })
    await expect(refusal).rejects.toThrow('the database has gone back')
    await log.append('b', counted(COUNT, COUNT + 1))
    const verdicts: unknown[] = []
    for await (const verdict of log.verifyAll()) verdicts.push(verdict)
    expect(verdicts).toMatchObject([
      { thread: 'a', ok: false, firstBadSeq: COUNT },
      { thread: 'b', ok: true, head: COUNT },
      { thread: 'c', ok: false, firstBadSeq: 0 },
    ])
    await log.close()
  },
)

test.skipIf(noPostgres)(
  '[L1] a thread that went back and was then appended to by another server is refused by the server that lost a record',
  async () => {
    const { url, headsFile, log } = await logWithHeads()
    const other = await open(url, join(newFolder(), 'heads'))
    const goBack = await remembered(url, 'a')
    await log.append('a', counted(COUNT, COUNT + 1))
    await goBack()
    await other.append('a', counted(7, 10))
    await expect(log.append('a', counted(20, 21))).rejects.toMatchObject({ code: 'corrupt' })
    expect(await log.verify('a')).toMatchObject({ ok: false, firstBadSeq: COUNT })
    await Promise.all([log.close(), other.close()])
    await expect(open(url, headsFile)).rejects.toThrow(`the record ${COUNT} of "a"`)
  },
)

test.skipIf(noPostgres)('an empty heads file, a folder and a pipe are refused', async () => {
  const url = await server.newDatabase()
  const folder = newFolder()
  writeFileSync(join(folder, 'heads'), '')
  await expect(open(url, join(folder, 'heads'))).rejects.toThrow('its first line is spoiled')
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const path of [folder, pipe]) {
    const refusal = open(url, path)
    await expect(refusal).rejects.toMatchObject({ code: 'configuration' })
    await expect(refusal).rejects.toThrow('it is not a file')
    const database = openLog(`sqlite:${join(folder, 'a.db')}`, { headsFile: path })
    await expect(database).rejects.toThrow('it is not a file')
  }
  expect(statSync(pipe).isFIFO()).toBe(true)
})

test.skipIf(noPostgres)(
  'a server takes the records that others store for sound, and two servers cannot share a heads file',
  async () => {
    const { url, headsFile, log } = await logWithHeads()
    const second = open(url, headsFile)
    await expect(second).rejects.toMatchObject({ code: 'locked' })
    await expect(second).rejects.toThrow('give each server a HEADS_FILE of its own')
    const elsewhere = join(newFolder(), 'heads')
    const other = await open(url, elsewhere)
    for (let n = COUNT; n < 3 * COUNT; n++) {
      await (n % 2 === 0 ? log : other).append('a', counted(n, n + 1))
    }
    await Promise.all([log.close(), other.close()])
    for (const file of [headsFile, elsewhere]) {
      const again = await open(url, file)
      expect(await again.verify('a')).toMatchObject({ ok: true, unanchored: 0, unanchoredFrom: [] })
      await again.close()
    }
  },
)

test.skipIf(noPostgres)(
  'a heads file of another log, or under another key, is refused',
  async () => {
    const [one, other] = [await logWithHeads(), await logWithHeads()]
    await Promise.all([one.log.close(), other.log.close()])
    const belongsElsewhere = open(one.url, other.headsFile)
    await expect(belongsElsewhere).rejects.toThrow('it belongs to another store')
    await expect(belongsElsewhere).rejects.toThrow('only if there is none, move it away')
    await (await openLog(one.url, { anchorKeys: [OTHER, KEY] })).close()
    await expect(open(one.url, one.headsFile, [OTHER])).rejects.toThrow('none of the keys given')
    await (await open(one.url, one.headsFile, [OTHER, KEY])).close()
    expect(existsSync(one.headsFile)).toBe(true)
  },
)
