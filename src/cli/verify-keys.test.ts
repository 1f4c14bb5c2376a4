import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { openLog } from '../storage/index.ts'
import { noPostgres, postgresServer } from '../storage/postgres/postgres-server.fixture.ts'
import { counted } from '../storage/sqlite-folder.fixture.ts'
import { KEY_FILE_BYTES_MAX } from './anchor-keys.ts'
import { SECRET, throughline } from './throughline.fixture.ts'

const server = postgresServer()
const KEY = 'the key of a program, with a comma, and of 32 bytes or more'
const OLD = 'the key before it, also of 32 bytes or more'

function fileWith(text: string): string {
  const file = join(newFolder(), 'keys')
  writeFileSync(file, text)
  return file
}

async function logUnder(store: string, ...anchorKeys: readonly string[]): Promise<string> {
  const log = await openLog(store, { anchorKeys })
  await log.append('t', counted(0, 3))
  await log.close()
  return store
}

const freshStore = () => `sqlite:${join(newFolder(), 'log.db')}`
const option = (file: string) => ['--anchor-key-file', file]

test('a log under a key of a program is verified and copied with the file that holds the key', async () => {
  const store = await logUnder(freshStore(), KEY)
  const to = freshStore()
  const file = fileWith(`\n  ${KEY} \r\n${OLD}\n`)
  expect(await throughline(['verify', store])).toMatchObject({ code: 2 })
  expect(await throughline(['verify', store, 't', ...option(file)])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^sound "t" up to 2 .*; anchored at 2 /) as string,
  })
  expect(await throughline(['copy', ...option(file), store, to])).toMatchObject({ code: 0 })
  const copied = await openLog(to, { anchorKeys: [KEY] })
  expect(await copied.verify('t')).toMatchObject({ ok: true, head: 2, unanchored: 0 })
  await copied.close()
  const older = fileWith(`${OLD}\n${KEY}`)
  expect(await throughline(['verify', store, ...option(older)])).toMatchObject({ code: 0 })
})

test('a key file that cannot be used, or holds another key, is told and ends with 2', async () => {
  const store = await logUnder(freshStore(), KEY)
  const [none, folder] = [join(newFolder(), 'none'), newFolder()]
  const faults = [
    [none, `Cannot take a key from the file "${none}": ENOENT`],
    [folder, `Cannot take a key from the file "${folder}": EISDIR`],
    [fileWith(' \n \n'), 'it is empty'],
    [fileWith('x'.repeat(KEY_FILE_BYTES_MAX + 1)), 'it holds more than 65536 bytes'],
  ] as const
  for (const [file, said] of faults) {
    for (const args of [
      ['verify', store],
      ['copy', store, freshStore()],
    ]) {
      const told = await throughline([...args, ...option(file)])
      expect(told).toMatchObject({ code: 2, stdout: '' })
      expect(told.stderr).toContain(said)
      expect(told.stderr).not.toContain('    at ')
    }
  }
  const other = option(fileWith(OLD))
  const verified = await throughline(['verify', store, ...other])
  expect(verified.code).toBe(2)
  expect(verified.stdout).toContain('is signed with none of the keys given')
  const copied = await throughline(['copy', store, freshStore(), ...other])
  expect(copied.code).toBe(2)
  expect(copied.stderr).toContain('it is signed with none of the keys given')
  const unknown = await throughline(['verify', store, '--anchor-keys', 'x'])
  expect(unknown).toMatchObject({ code: 2, stdout: '' })
  expect(unknown.stderr).toContain("Unknown option '--anchor-keys'")
})

test('a log that has adopted a key says from where; a copy adopts none for its source', async () => {
  const store = await logUnder(freshStore())
  const refused = await throughline(['copy', store, freshStore()])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('leave the keys out if it never had any')
  const unsigned = await throughline(['verify', store])
  expect(unsigned.code).toBe(2)
  expect(unsigned.stdout).toContain('no key has signed')
  const log = await openLog(store, { anchorKeys: [SECRET] })
  await log.append('t', counted(3, 5))
  await log.close()
  const adopted = await throughline(['verify', store])
  expect(adopted.code).toBe(0)
  expect(adopted.stdout).toMatch(
    /^sound "t" up to 4 .*; anchored at 4 .*; anchored from 3 on, adopted up to 2 at \d{13}\n$/,
  )
})

test.skipIf(noPostgres)('a log in Postgres that has adopted a key says from where', async () => {
  const url = await logUnder(await server.newDatabase())
  const unsigned = await throughline(['verify', url])
  expect(unsigned).toMatchObject({
    code: 2,
    stdout: 'cannot tell: no key has signed its heads, and a key was given\n',
  })
  const log = await openLog(url, { anchorKeys: [KEY] })
  await log.append('t', counted(3, 5))
  await log.close()
  const adopted = await throughline(['verify', url, ...option(fileWith(KEY))])
  expect(adopted.code).toBe(0)
  expect(adopted.stdout).toMatch(
    /^sound "t" up to 4 .*; anchored at 4 .*; anchored from 3 on, adopted up to 2 at \d{13}\n$/,
  )
})

test('a thread, a store or a heads file that is not there is named, and ends with 2', async () => {
  const store = await logUnder(freshStore(), SECRET)
  const missing = freshStore()
  const path = missing.replace('sqlite:', '')
  expect(await throughline(['verify', store, 't', 'no "such"'])).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(
      /^sound "t" up to 2 .*\ncannot tell: there is no thread "no \\"such\\""\n$/,
    ) as string,
  })
  expect(await throughline(['verify', missing])).toMatchObject({
    code: 2,
    stdout: `cannot tell: there is no file "${path}"\n`,
  })
  const heads = join(newFolder(), 'heads')
  expect(await throughline(['verify', store], { HEADS_FILE: heads })).toMatchObject({
    code: 2,
    stdout: `cannot tell: there is no heads file "${heads}"\n`,
  })
  const to = freshStore()
  expect(await throughline(['copy', missing, to])).toMatchObject({
    code: 2,
    stderr: `Cannot copy "${missing}": there is no such file\n`,
  })
  expect([path, to.replace('sqlite:', '')].filter(existsSync)).toEqual([])
  mkdirSync(path)
  expect(await throughline(['verify', missing])).toMatchObject({ code: 2 })
})

test.skipIf(noPostgres)(
  'a thread that Postgres does not hold is named, and ends with 2',
  async () => {
    const url = await logUnder(await server.newDatabase(), SECRET)
    expect(await throughline(['verify', url, 'none', 't'])).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(
        /^sound "t" up to 2 .*\ncannot tell: there is no thread "none"\n$/,
      ) as string,
    })
  },
)
