import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ANCHOR_INTERVAL_MS } from './anchors.ts'
import { HeadsFile, REWRITE_BYTES_MIN } from './heads-file.ts'
import { openLog } from './open-log.ts'
import { counted, freshPath, tamper } from './sqlite-folder.fixture.ts'

const terms = (path: string) => ({ path, key: 'k', epoch: 'e' })
const anchor = (seq: number) => ({ seq, hash: seq.toString(16).padStart(64, '0') })

test('what was added is read again, the highest seq of each thread', async () => {
  const path = freshPath()
  const file = new HeadsFile(terms(path))
  expect(file.open()).toEqual(new Map())
  file.add([
    ['t', anchor(0)],
    ['spaced name "ü"', anchor(3)],
  ])
  file.add([['t', anchor(7)]])
  appendFileSync(path, readFileSync(path, 'utf8').split('\n')[1] + '\n')
  expect(await file.find('t')).toEqual(anchor(7))
  expect(await file.find('none')).toBeUndefined()
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
  file.add([['t "1"', anchor(5)]])
  file.close()
  const line = (payload: string) =>
    `${createHmac('sha256', 'k').update(`e ${payload}`).digest('hex')} ${payload}\n`
  expect(readFileSync(path, 'utf8')).toBe(
    line('throughline-heads 1 e') + line(`5 ${anchor(5).hash} "t \\"1\\""`),
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

test('an altered line, or one signed with another key, vouches for nothing', () => {
  const path = freshPath()
  const file = new HeadsFile(terms(path))
  file.open()
  file.add([['t', anchor(1)]])
  file.add([['t', anchor(2)]])
  file.close()
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(` 2 ${anchor(2).hash}`, ` 9 ${anchor(2).hash}`),
  )
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

test('the file is rewritten before it grows without a bound', async () => {
  const path = freshPath()
  const file = new HeadsFile(terms(path))
  file.open()
  const all = (seq: number) =>
    Array.from({ length: 500 }, (_, n) => [`t${n}`, anchor(seq)] as const)
  let largest = 0
  for (let seq = 0; seq < 40; seq++) {
    file.add(all(seq))
    largest = Math.max(largest, statSync(path).size)
  }
  expect(largest).toBeLessThan(REWRITE_BYTES_MIN * 1.2)
  expect(await file.find('t499')).toEqual(anchor(39))
  expect(existsSync(`${path}.new`)).toBe(false)
  file.close()
})

test('a head is written down at once, and again when more was appended', async () => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`, { anchorKey: 'k' })
  const lines = () => readFileSync(`${path}.heads`, 'utf8').trimEnd().split('\n').slice(1)
  await log.append('t', counted(0, 1))
  expect(lines()).toHaveLength(1)
  for (let n = 1; n < 6; n++) await log.append('t', counted(n, n + 1))
  expect(lines().length).toBeLessThan(6)
  await setTimeout(3 * ANCHOR_INTERVAL_MS)
  expect(lines().at(-1)).toContain(' 5 ')
  await log.append('t', counted(6, 7))
  await log.close()
  expect(lines().at(-1)).toContain(' 6 ')
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
