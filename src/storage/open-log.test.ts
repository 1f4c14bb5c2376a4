import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from './open-log.ts'
import { counted, freshPath, recordsOf, tamper } from './sqlite-folder.fixture.ts'
import { uuidv7Source } from '../platform/index.ts'

test('"memory:" opens a log that works', async () => {
  const log = await openLog('memory:')
  const [record] = await log.append('t', counted(0, 1))
  expect(record?.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/)
  expect(await recordsOf(log, 't')).toEqual([record])
  expect(await log.verify('t')).toMatchObject({ ok: true, head: 0, unanchored: 0 })
  await log.close()
})

test('an unknown store is refused with what would do', async () => {
  for (const url of [
    '',
    'redis://x',
    'sqlite:',
    'sqlite::memory:',
    'sqlite://a.db',
    '/tmp/log.db',
    'memory:x',
  ]) {
    await expect(openLog(url)).rejects.toMatchObject({
      code: 'configuration',
      message: `Cannot open the log "${url}": ${url.startsWith('sqlite:') ? 'it names no file' : 'its store is unknown'}; use "sqlite:PATH", "postgres://…" or "memory:"`,
    })
  }
})

test('the folder of a database is made', async () => {
  const path = join(dirname(freshPath()), 'a', 'b', 'log.db')
  const log = await openLog(`sqlite:${path}`)
  await log.append('t', counted(0, 1))
  await log.close()
})

test('a database of something else is refused and left as it is', async () => {
  const path = freshPath()
  tamper(path, 'CREATE TABLE theirs (x)')
  await expect(openLog(`sqlite:${path}`)).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('not a log') as string,
  })
  tamper(path, 'DROP TABLE theirs')
  await (await openLog(`sqlite:${path}`)).close()
})

test('a log of a later format is refused', async () => {
  const path = freshPath()
  await (await openLog(`sqlite:${path}`)).close()
  tamper(path, 'PRAGMA user_version = 3')
  await expect(openLog(`sqlite:${path}`)).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('a log of format 3') as string,
  })
})

test('[D5] a file that is no database is refused as corrupt', async () => {
  const path = freshPath()
  writeFileSync(
    path,
    'not a database, but long enough to be looked at as if it were one'.repeat(99),
  )
  await expect(openLog(`sqlite:${path}`)).rejects.toMatchObject({ code: 'corrupt' })
})

test('a folder in the place of the database is refused with the mend, and nothing is left beside it', async () => {
  const path = freshPath()
  mkdirSync(path)
  await expect(openLog(`sqlite:${path}`)).rejects.toMatchObject({
    code: 'configuration',
    message: `Cannot keep the log in "${path}": it is not a file; name a file that may be made there`,
  })
  expect(existsSync(`${path}.lock`)).toBe(false)
})

test.each([
  ['', 'in the place of'],
  ['deeper', 'below'],
])('a folder "%s" %s a file is refused with its path and the mend', async (deeper) => {
  const file = freshPath()
  writeFileSync(file, 'a file')
  const path = join(file, deeper, 'a.db')
  await expect(openLog(`sqlite:${path}`)).rejects.toMatchObject({
    code: 'configuration',
    message: `Cannot make the folder "${dirname(path)}" for "${path}": a part of that path is a file; name another place`,
  })
})

test('a log that failed to open can be opened once the cause is gone', async () => {
  const path = freshPath()
  writeFileSync(path, 'x'.repeat(4_096))
  await expect(openLog(`sqlite:${path}`)).rejects.toMatchObject({ code: 'corrupt' })
  writeFileSync(path, '')
  await (await openLog(`sqlite:${path}`)).close()
})

test('[D11] two names of one file are one log', async () => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`)
  const link = join(dirname(path), 'link.db')
  symlinkSync(path, link)
  await expect(openLog(`sqlite:${link}`)).rejects.toMatchObject({ code: 'locked' })
  await log.close()
})

test('[S8] ids rise, whatever the clock does', () => {
  const times = [5, 5, 9, 3, 3, 10, 2 ** 47, 0]
  const next = uuidv7Source(() => times.shift() ?? 0)
  const ids = Array.from({ length: 10_000 }, next)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  const version7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
  expect(ids.filter((id) => !version7.test(id))).toEqual([])
})
