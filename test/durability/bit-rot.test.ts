import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LogError } from '../../src/log/index.ts'
import type { EventLog, LogRecord } from '../../src/log/index.ts'
import { openLog } from '../../src/storage/index.ts'
import { counted, freshPath, recordsOf } from '../../src/storage/sqlite-folder.fixture.ts'
import { chance, newSeed } from '../chance.fixture.ts'

/** Each in the database and in the write-ahead log: 50 in all. */
const HITS = 25
const FLIPS_MAX = 2_000
const THREADS = ['a', 'b', 'c']
const anchorKey = 'a key outside the database'

const random = chance(newSeed())

type Contents = ReadonlyMap<string, readonly LogRecord[]>
type Finding = 'refused' | 'reported' | 'silent' | 'unharmed'

/** A log's files after a close, or while it is open, and their records. */
async function makeFiles(state: 'closed' | 'open'): Promise<{ path: string; contents: Contents }> {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`, { anchorKeys: [anchorKey] })
  for (let n = 0; n < 60; n++) {
    await Promise.all(THREADS.map((thread) => log.append(thread, counted(n, n + 1))))
  }
  const contents = new Map<string, readonly LogRecord[]>()
  for (const thread of THREADS) contents.set(thread, await recordsOf(log, thread))
  if (state === 'closed') await log.close()
  const copy = freshPath()
  copyFiles(path, copy)
  if (state === 'open') await log.close()
  return { path: copy, contents }
}

function copyFiles(from: string, to: string): void {
  for (const suffix of ['', '-wal', '.heads']) {
    if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix)
  }
}

/** Turns one bit of a copy over, and says what became of it. */
async function findingAfterFlip(original: string, suffix: string, contents: Contents) {
  const path = freshPath()
  copyFiles(original, path)
  const bytes = readFileSync(path + suffix)
  const at = Math.floor(random() * bytes.length)
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at)
  writeFileSync(path + suffix, bytes)
  const finding = await findingIn(path, contents)
  return {
    finding,
    where: `${suffix || 'database'} at ${at} of ${bytes.length}: ${path}`,
  }
}

async function findingIn(path: string, contents: Contents): Promise<Finding> {
  let log: EventLog
  try {
    log = await openLog(`sqlite:${path}`, { anchorKeys: [anchorKey] })
  } catch (error) {
    expect(error).toBeInstanceOf(LogError)
    return 'refused'
  }
  try {
    const findings: Finding[] = []
    for (const [thread, expected] of contents) findings.push(await inThread(log, thread, expected))
    return (['silent', 'reported'] as const).find((kind) => findings.includes(kind)) ?? 'unharmed'
  } finally {
    await log.close().catch((error: unknown) => expect(error).toBeInstanceOf(LogError))
  }
}

/** A thread may end early or not be read at all, but nothing before the first bad position differs. */
async function inThread(log: EventLog, thread: string, expected: readonly LogRecord[]) {
  const { records, failed } = await readable(log, thread)
  const differs = records.findIndex((record, at) => textOf(record) !== textOf(expected[at]))
  const intact = differs === -1 ? records.length : differs
  const verdict = await log.verify(thread)
  if (!verdict.ok) return differs === -1 || verdict.firstBadSeq <= differs ? 'reported' : 'silent'
  return !failed && intact === expected.length ? 'unharmed' : 'silent'
}

async function readable(log: EventLog, thread: string) {
  const records: LogRecord[] = []
  try {
    for await (const batch of log.read(thread)) records.push(...batch)
    return { records, failed: false }
  } catch (error) {
    expect(error).toMatchObject({ code: 'corrupt' })
    return { records, failed: true }
  }
}

function textOf(record: LogRecord | undefined): string {
  return JSON.stringify(record)
}

for (const [suffix, state] of [
  ['', 'closed'],
  ['-wal', 'open'],
] as const) {
  test(`[D5] a bit that rots in the ${state} log's ${suffix || 'database'} is refused or reported`, async ({
    annotate,
  }) => {
    const { path, contents } = await makeFiles(state)
    const copy = freshPath()
    copyFiles(path, copy)
    expect(await findingIn(copy, contents)).toBe('unharmed')
    const found: string[] = []
    const silent: string[] = []
    // A flipped bit in an unused place loses nothing, so that it does not count.
    for (let flips = 0; found.length + silent.length < HITS && flips < FLIPS_MAX; flips++) {
      const { finding, where } = await findingAfterFlip(path, suffix, contents)
      if (finding === 'silent') silent.push(where)
      else if (finding !== 'unharmed') found.push(where)
    }
    expect(silent).toEqual([])
    expect(found).toHaveLength(HITS)
    const what = `${found.length} of ${HITS} flipped bits refused or reported, ${silent.length} silent`
    await annotate(`${suffix || 'database'}: ${what}`, 'promise')
  }, 60_000)
}
