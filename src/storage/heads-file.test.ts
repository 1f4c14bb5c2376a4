import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { HeadsFile, REWRITE_BYTES_MIN } from './heads-file.ts'
import { openLog } from './open-log.ts'
import { counted, freshPath, tamper } from './sqlite-folder.fixture.ts'

const terms = (path: string) => ({ path, key: 'k', epoch: 'e' })
const anchor = (seq: number) => ({ seq, hash: seq.toString(16).padStart(64, '0') })

test('what was added is read again, the highest seq of each thread', () => {
  const path = freshPath()
  const file = new HeadsFile(terms(path))
  expect(file.open()).toEqual(new Map())
  file.add([
    ['t', anchor(0)],
    ['spaced name "ü"', anchor(3)],
  ])
  file.add([['t', anchor(7)]])
  appendFileSync(path, readFileSync(path, 'utf8').split('\n')[1] + '\n')
  expect(file.find('t')).toEqual(anchor(7))
  expect(file.find('none')).toBeUndefined()
  file.close()
  const again = new HeadsFile(terms(path))
  expect([...again.open()]).toEqual([
    ['t', anchor(7)],
    ['spaced name "ü"', anchor(3)],
  ])
  again.close()
})

test('lines are as docs/log-format.md describes them', () => {
  const path = freshPath()
  const file = new HeadsFile(terms(path))
  file.open()
  file.add([
    ['t "1"', anchor(5)],
    ['u', anchor(0)],
  ])
  file.add([['v', anchor(1)]])
  file.close()
  const line = (payload: string) =>
    `${createHmac('sha256', 'k').update(`e ${payload}`).digest('hex')} ${payload}\n`
  expect(readFileSync(path, 'utf8')).toBe(
    line('throughline-heads 1 e') +
      line(`[["t \\"1\\"",5,"${anchor(5).hash}"],["u",0,"${anchor(0).hash}"]]`) +
      line(`[["v",1,"${anchor(1).hash}"]]`),
  )
})

test('a torn last line is passed over, and the next one is whole', () => {
  const path = freshPath()
  const file = new HeadsFile(terms(path))
  file.open()
  file.add([['t', anchor(1)]])
  file.add([['t', anchor(2)]])
  file.close()
  const text = readFileSync(path, 'utf8')
  for (const torn of [text.slice(0, -2), text.slice(0, -80), `${text}\0\0\0`]) {
    writeFileSync(path, torn)
    const again = new HeadsFile(terms(path))
    expect(again.open().get('t')?.seq).toBe(torn.startsWith(text) ? 2 : 1)
    again.add([['t', anchor(3)]])
    again.close()
    expect(readFileSync(path, 'utf8')).toMatch(/^([\da-f]{64} .*\n)+$/)
  }
})

test('an altered line vouches for nothing', () => {
  const path = freshPath()
  const file = new HeadsFile(terms(path))
  file.open()
  file.add([['t', anchor(1)]])
  file.add([['t', anchor(2)]])
  file.close()
  const altered = readFileSync(path, 'utf8').replace('"t",2,', '"t",9,')
  expect(altered).toContain('"t",9,')
  writeFileSync(path, altered)
  const again = new HeadsFile(terms(path))
  expect(again.open().get('t')).toEqual(anchor(1))
  again.close()
})

test('a file of another key or another log is refused, and says which it is', () => {
  const path = freshPath()
  const file = new HeadsFile(terms(path))
  file.open()
  file.close()
  const open = (other: object) => () => new HeadsFile({ ...terms(path), ...other }).open()
  expect(open({ key: 'other' })).toThrow('it is signed with another key')
  expect(open({ epoch: 'other' })).toThrow('it is of another log')
  writeFileSync(path, 'something else\n')
  expect(open({})).toThrow('it is of another log')
  writeFileSync(path, '')
  expect(open({})()).toEqual(new Map())
})

test('the file is rewritten before it grows without a bound', () => {
  const path = freshPath()
  const before = new HeadsFile(terms(path))
  before.open()
  before.add([['quiet', anchor(3)]])
  before.close()
  const file = new HeadsFile(terms(path))
  file.open()
  const all = (seq: number) =>
    Array.from({ length: 500 }, (_, n) => [`t${n}`, anchor(seq)] as const)
  let largest = 0
  for (let seq = 0; seq < 130; seq++) {
    file.add(all(seq))
    largest = Math.max(largest, statSync(path).size)
  }
  expect(largest).toBeGreaterThan(REWRITE_BYTES_MIN * 0.9)
  expect(largest).toBeLessThan(REWRITE_BYTES_MIN * 1.1)
  expect(statSync(path).size).toBeLessThan(REWRITE_BYTES_MIN / 2)
  expect([file.find('t499'), file.find('quiet')]).toEqual([anchor(129), anchor(3)])
  expect(existsSync(`${path}.new`)).toBe(false)
  file.close()
})

test('what could not be written is written with the next line', () => {
  const path = freshPath()
  const file = new HeadsFile(terms(path))
  file.open()
  const aside = `${path}.aside`
  renameSync(path, aside)
  mkdirSync(path)
  expect(() => file.add([['t', anchor(1)]])).toThrow('EISDIR')
  rmdirSync(path)
  renameSync(aside, path)
  appendFileSync(path, 'half a line')
  file.add([['u', anchor(2)]])
  file.close()
  const again = new HeadsFile(terms(path))
  expect([...again.open()]).toEqual([
    ['t', anchor(1)],
    ['u', anchor(2)],
  ])
  again.close()
})

test('[D5] a head is written down before its append is acknowledged', async () => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`, { anchorKey: 'k' })
  for (let n = 0; n < 5; n++) {
    const [record] = await log.append('t', counted(n, n + 1))
    const last = readFileSync(`${path}.heads`, 'utf8').trimEnd().split('\n').at(-1)
    expect(last).toContain(` [["t",${n},"${record?.hash}"]]`)
  }
  await log.close()
})

test('a database without its heads is taken as it is, and anchored from there', async () => {
  const path = freshPath()
  const url = `sqlite:${path}`
  const before = await openLog(url)
  await before.append('t', counted(0, 9))
  await before.close()
  rmSync(`${path}.heads`)
  tamper(path, 'DELETE FROM records WHERE seq > 5')
  const between = await openLog(url)
  expect(await between.verify('t')).toEqual({ ok: true, head: 5 })
  await between.close()
  tamper(path, 'DELETE FROM records WHERE seq > 3')
  const after = await openLog(url)
  expect(await after.verify('t')).toEqual({ ok: false, head: 3, firstBadSeq: 4 })
  await after.close()
})

test('a log whose heads are signed with another key is not opened', async () => {
  const path = freshPath()
  await (await openLog(`sqlite:${path}`, { anchorKey: 'one' })).close()
  await expect(openLog(`sqlite:${path}`, { anchorKey: 'other' })).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('remove the file to begin anew') as string,
  })
  await (await openLog(`sqlite:${path}`, { anchorKey: 'one' })).close()
})
