import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { UNANCHORED_RANGES_MAX } from './anchored-head.ts'
import { NO_MAC } from './heads-lines.ts'
import { HeadsFile, REWRITE_BYTES_MIN } from './heads-file.ts'
import { openLog } from '../open-log.ts'
import { counted, freshPath } from '../sqlite-folder.fixture.ts'

const terms = (path: string) => ({ path, keys: ['k'], epoch: 'e' })
const hashOf = (seq: number) => seq.toString(16).padStart(64, '0')
const head = (seq: number) => ({
  seq,
  hash: hashOf(seq),
  ts: expect.any(Number) as number,
  unanchored: [],
})

/** The commit of one thread's record, as the writer reports it. */
const move = (thread: string, seq: number, before = seq - 1) =>
  [thread, { before, seq, hash: hashOf(seq) }] as const

function begun(path: string): HeadsFile {
  const file = new HeadsFile(terms(path))
  file.open('is empty')
  return file
}

function reopened(path: string, other: object = {}): HeadsFile {
  const file = new HeadsFile({ ...terms(path), ...other })
  file.open('holds records')
  return file
}

test('after a restart the last head of each thread is read again', () => {
  const path = freshPath()
  const file = begun(path)
  file.add([move('t', 0), move('spaced name "ü"', 3, -1)])
  file.add([move('t', 7, 0)])
  expect(file.find('t')).toEqual(head(7))
  expect(file.find('none')).toBeUndefined()
  file.close()
  const again = reopened(path)
  expect(again.find('t')).toEqual(head(7))
  expect(again.find('spaced name "ü"')).toEqual(head(3))
  expect([...again.heads()].map(([name]) => name)).toEqual(['spaced name "ü"', 't'])
  again.close()
})

test('lines are as docs/log-format.md describes them', () => {
  const path = freshPath()
  const file = begun(path)
  const since = Date.now()
  file.add([move('t "1"', 5, -1), move('u', 0)])
  file.add([move('t "1"', 9, 7)])
  file.close()
  const texts = readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => line.slice(65))
  const mark = (offset: number) =>
    `["synced",${offset},"${createHmac('sha256', 'k').update(`synced ${offset}`).digest('hex')}"]`
  const length = (...lines: readonly string[]) =>
    Buffer.byteLength(lines.map((text) => `${NO_MAC} ${text}\n`).join(''))
  const times = [...texts.join().matchAll(/,(\d{13})/g)].map(([, time]) => Number(time))
  expect(times).toHaveLength(3)
  for (const time of times) expect(time).toBeGreaterThanOrEqual(since)
  expect(texts).toEqual([
    'throughline-heads 2 e',
    mark(length(texts[0] ?? '')),
    `[["t \\"1\\"",5,"${hashOf(5)}",${times[0]}],["u",0,"${hashOf(0)}",${times[1]}]]`,
    `[["t \\"1\\"",9,"${hashOf(9)}",${times[2]},[[6,7]]]]`,
    mark(length(...texts.slice(0, -1))),
  ])
  let mac = NO_MAC
  const signed = texts.map((text) => {
    mac = createHmac('sha256', 'k').update(`${mac} ${text}`).digest('hex')
    return `${mac} ${text}\n`
  })
  expect(readFileSync(path, 'utf8')).toBe(signed.join(''))
})

test('records without a head are put on record with the next one, up to a bound', () => {
  const path = freshPath()
  const file = begun(path)
  file.add([move('t', 4, -1)])
  for (let n = 0; n < UNANCHORED_RANGES_MAX + 3; n++) {
    // Ten records each time, of which the last one is ours.
    file.add([move('t', 14 + 10 * n, 13 + 10 * n)])
  }
  const { unanchored = [] } = file.find('t') ?? {}
  expect(unanchored).toHaveLength(UNANCHORED_RANGES_MAX)
  expect(unanchored.slice(0, 2)).toEqual([
    [5, 13],
    [15, 23],
  ])
  expect(unanchored.at(-1)).toEqual([155, 13 + 10 * (UNANCHORED_RANGES_MAX + 2)])
  file.close()
  expect(reopened(path).find('t')?.unanchored).toEqual(unanchored)
})

test('a torn last line is passed over, and the next one is whole', () => {
  const path = freshPath()
  const file = begun(path)
  file.add([move('t', 1)])
  file.add([move('t', 2)])
  const text = readFileSync(path, 'utf8')
  file.close()
  for (const torn of [text.slice(0, -2), text.slice(0, -80), `${text}\0\0\0`]) {
    writeFileSync(path, torn)
    const again = reopened(path)
    const last = torn.startsWith(text) ? 2 : 1
    expect(again.find('t')?.seq).toBe(last)
    again.add([move('t', 3, last)])
    again.close()
    expect(readFileSync(path, 'utf8')).toMatch(/^([\da-f]{64} .*\n)+$/)
    expect(reopened(path).find('t')?.seq).toBe(3)
  }
})

test('lines that a power cut has lost end the file, unless they were on the disk', () => {
  const path = freshPath()
  const file = begun(path)
  for (let seq = 0; seq < 9; seq++) file.add([move('t', seq)])
  const lost = Buffer.from(readFileSync(path))
  file.close()
  const synced = Buffer.from(readFileSync(path))
  const at = lost.length - 700
  for (const bytes of [lost, synced]) bytes.fill(0, at, at + 200)
  writeFileSync(path, lost)
  const again = reopened(path)
  expect(again.find('t')?.seq).toBe(3)
  again.close()
  writeFileSync(path, synced)
  expect(() => reopened(path)).toThrow(/line 7 is spoiled; restore the file from a backup/)
})

test('a line that was altered, moved or taken out is refused, and named', () => {
  const path = freshPath()
  const file = begun(path)
  for (let seq = 0; seq < 4; seq++) file.add([move('t', seq)])
  file.close()
  const lines = readFileSync(path, 'utf8').split('\n')
  const refused = (changed: readonly string[]) => {
    writeFileSync(path, changed.join('\n'))
    return expect(() => reopened(path))
  }
  for (const at of lines.slice(1, -1).keys()) {
    const line = lines[at + 1] ?? ''
    const digit = line.startsWith('0') ? '1' : '0'
    const spoiled = `line ${at + 2} is spoiled`
    refused(lines.with(at + 1, `${digit}${line.slice(1)}`)).toThrow(spoiled)
    refused(lines.with(at + 1, `${line.slice(0, 64)}_${line.slice(65)}`)).toThrow(spoiled)
    refused(lines.with(at + 1, `${line} `)).toThrow(spoiled)
    if (at < lines.length - 3) refused(lines.toSpliced(at + 1, 1)).toThrow(spoiled)
  }
  refused(['something else', '']).toThrow('its first line is spoiled')
  refused(['']).toThrow('its first line is spoiled')
  refused(lines).not.toThrow()
})

test('a file of another key or another log is refused, and says which it is', () => {
  const path = freshPath()
  begun(path).close()
  expect(() => reopened(path, { keys: ['other'] })).toThrow('signed with none of the keys given')
  expect(() => reopened(path, { epoch: 'other' })).toThrow('it belongs to another store')
  rmSync(path)
  expect(() => reopened(path)).toThrow(`the heads file "${path}" is missing`)
  expect(existsSync(path)).toBe(false)
})

test('[X15] heads under an accepted key are taken over, under a removed one refused', async ({
  annotate,
}) => {
  const path = freshPath()
  const file = new HeadsFile({ ...terms(path), keys: ['one'] })
  file.open('is empty')
  file.add([move('t', 4, -1)])
  file.close()
  const rotations = [['two', 'one'], ['one', 'two'], ['three', 'one'], ['three']]
  for (const keys of rotations) {
    const rotated = reopened(path, { keys })
    expect(rotated.find('t')).toEqual(head(4))
    rotated.close()
  }
  for (const keys of [['one'], ['two', 'one'], ['']]) {
    expect(() => reopened(path, { keys })).toThrow('give the key that signed it behind the new one')
  }
  const taken = `heads taken over in ${rotations.length} of ${rotations.length} rotations`
  await annotate(`${taken}, 0 of 3 times under removed keys`, 'promise')
})

test('the file is rewritten before it grows without a bound', () => {
  const path = freshPath()
  const file = begun(path)
  file.add([move('quiet', 3, -1)])
  const all = (seq: number) => Array.from({ length: 500 }, (_, n) => move(`t${n}`, seq))
  let largest = 0
  for (let seq = 0; seq < 100; seq++) {
    file.add(all(seq))
    largest = Math.max(largest, statSync(path).size)
  }
  expect(largest).toBeGreaterThan(REWRITE_BYTES_MIN * 0.9)
  expect(largest).toBeLessThan(REWRITE_BYTES_MIN * 1.1)
  expect(statSync(path).size).toBeLessThan(REWRITE_BYTES_MIN / 2)
  expect([file.find('t499'), file.find('quiet')]).toEqual([head(99), head(3)])
  expect(existsSync(`${path}.new`)).toBe(false)
  file.close()
  const again = reopened(path)
  for (const name of ['t0', 't17', 't499']) expect(again.find(name)).toEqual(head(99))
  expect([...again.heads()]).toHaveLength(501)
  again.close()
})

test('one that reads the file sees what another one adds, rewriting included', () => {
  const path = freshPath()
  const writer = begun(path)
  const reader = new HeadsFile(terms(path))
  expect(reader.find('t')).toBeUndefined()
  writer.add([move('t', 0)])
  expect(reader.find('t')).toEqual(head(0))
  const many = Array.from({ length: 30_000 }, (_, n) => move(`thread ${n}`, 5, -1))
  writer.add(many)
  writer.add([move('t', 1)])
  expect(reader.find('t')).toEqual(head(1))
  expect(reader.find('thread 29999')).toEqual(head(5))
  reader.close()
  writer.close()
})

test('[D5] a head is written down before its append is acknowledged', async () => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`, { anchorKeys: ['k'] })
  for (let n = 0; n < 5; n++) {
    const [record] = await log.append('t', counted(n, n + 1))
    const last = readFileSync(`${path}.heads`, 'utf8').trimEnd().split('\n').at(-1)
    expect(last).toContain(` [["t",${n},"${record?.hash}",`)
  }
  await log.close()
})
