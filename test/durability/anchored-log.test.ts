import { createHmac } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifyLog } from '../../src/cli/verify-log.ts'
import type { Verification } from '../../src/log/index.ts'
import { acceptHeads, openLog } from '../../src/storage/index.ts'
import { counted, tamper } from '../../src/storage/sqlite-folder.fixture.ts'
import { chance, newSeed } from '../chance.fixture.ts'
import { newFolder } from '../folders.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { forge } from './forge.fixture.ts'
import { unsign } from './unsign.fixture.ts'

const KEY = 'a key outside the database'
const THREADS = ['a', 'b', 'ü "quoted"']
const LOGS = timesInTier({ quick: 49, full: 100 })
const UNSOUND_MIN = timesInTier({ quick: 0, full: 5 })
const CASES = timesInTier({ quick: 14, full: 50 })

/** These files need not last, so writes need not wait for a disk. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const freshPath = () => join(newFolder(MEMORY), 'log.db')

const random = chance(newSeed())

function upTo(count: number): number {
  return Math.floor(random() * count)
}

const open = (path: string, key = KEY) => openLog(`sqlite:${path}`, { anchorKeys: [key] })

async function appendSome(path: string, thread: string, count: number): Promise<void> {
  const log = await open(path)
  for (let n = 0; n < count; n++) await log.append(thread, counted(n, n + 1))
  await log.close()
}

async function makeLog(): Promise<string> {
  const path = freshPath()
  const log = await open(path)
  for (const thread of THREADS) {
    for (let n = 1 + upTo(4); n > 0; n--) await log.append(thread, counted(0, 1 + upTo(4)))
  }
  await log.close()
  return path
}

/** Makes a log look as if it never had a key, as an attacker with all of its files can. */
function forgetKeys(path: string): void {
  unsign(`${path}.heads`)
  tamper(path, "DELETE FROM meta WHERE key = 'signed'")
}

/** Changes to a log's files between two openings. */
const FATES = {
  async clean() {},
  async forged(path: string) {
    forge(path, THREADS[upTo(4)] ?? 'a new one', 1 + upTo(5))
  },
  async forgedAndGoneOn(path: string) {
    const thread = THREADS[upTo(3)] ?? ''
    forge(path, thread, 1 + upTo(5))
    await appendSome(path, thread, 1 + upTo(3))
  },
  async cut(path: string) {
    tamper(path, `DELETE FROM records WHERE seq >= ${upTo(6)} AND thread = ${1 + upTo(3)}`)
  },
  /** The heads alone, to an earlier version of them. */
  async headsRolledBack(path: string) {
    copyFileSync(`${path}.heads`, `${path}.old`)
    await appendSome(path, THREADS[upTo(3)] ?? '', 1 + upTo(4))
    copyFileSync(`${path}.old`, `${path}.heads`)
  },
  async headsCut(path: string) {
    const lines = readFileSync(`${path}.heads`, 'utf8').split('\n')
    const kept = lines.slice(0, 1 + upTo(lines.length - 1))
    writeFileSync(`${path}.heads`, `${kept.join('\n')}\n`)
  },
  async headsAccepted(path: string) {
    rmSync(`${path}.heads`)
    acceptHeads(path, { anchorKeys: [KEY] })
    await appendSome(path, THREADS[upTo(3)] ?? '', upTo(3))
  },
  async adopted(path: string) {
    forgetKeys(path)
    await appendSome(path, THREADS[upTo(3)] ?? '', upTo(3))
  },
} satisfies Record<string, (path: string) => Promise<void>>

/** The verifier does not tell how far a thread reaches that is not sound. */
const UNTOLD = -2

async function logSays(path: string): Promise<ReadonlyMap<string, Verification>> {
  const log = await open(path)
  const said = new Map<string, Verification>()
  for await (const { thread, ...verdict } of log.verifyAll()) {
    said.set(thread, verdict.ok ? verdict : { ...verdict, head: UNTOLD })
  }
  await log.close()
  return said
}

function verifierSays(path: string): ReadonlyMap<string, Verification> {
  const { lines } = verifyLog(path, { keys: [KEY] })
  return new Map(lines.map(parsed))
}

function parsed(line: string): [thread: string, said: Verification] {
  const [, sound, name = '', at] = /^(sound|unsound) (".*") (?:up to|at) (-?\d+)/.exec(line) ?? []
  const [, seq, hash = '', ts] = /; anchored at (\d+) (\S{64}) (\d+)/.exec(line) ?? []
  const [, last, since] = /; anchored from \d+ on, adopted up to (\d+) at (\d+)/.exec(line) ?? []
  const adopted = last === undefined ? {} : { adopted: { seq: Number(last), ts: Number(since) } }
  const [, list] = /; unanchored ([\d,-]+)$/.exec(line) ?? []
  const ranges = (list?.split(',') ?? []).map((range) => range.split('-').map(Number))
  const said = {
    ...(sound === 'sound'
      ? { ok: true as const, head: Number(at) }
      : { ok: false as const, head: UNTOLD, firstBadSeq: Number(at) }),
    ...(seq === undefined ? {} : { anchored: { seq: Number(seq), hash, ts: Number(ts) } }),
    ...adopted,
    unanchored: ranges.reduce((sum, [from = 0, to = 0]) => sum + to - from + 1, 0),
    unanchoredFrom: ranges.map(([from]) => from ?? -1),
  }
  return [String(JSON.parse(name)), said]
}

test('[L9] what verify says of its witness is what an independent verifier finds', async ({
  annotate,
}) => {
  const fates = Object.entries(FATES)
  let [equal, unanchored, unsound] = [0, 0, 0]
  for (let n = 0; n < LOGS; n++) {
    const path = await makeLog()
    const [name, befall] = fates[n % fates.length] ?? []
    await befall?.(path)
    const [ours, theirs] = [await logSays(path), verifierSays(path)]
    expect(ours, `${name}`).toEqual(theirs)
    expect(ours.size).toBeGreaterThanOrEqual(THREADS.length)
    equal++
    const verdicts = [...ours.values()]
    unanchored += verdicts.some((verdict) => verdict.unanchored > 0) ? 1 : 0
    unsound += verdicts.some((verdict) => !verdict.ok) ? 1 : 0
  }
  expect([unanchored > LOGS / 5, unsound > UNSOUND_MIN]).toEqual([true, true])
  const of = `${unanchored} of them with unanchored records, ${unsound} not sound`
  await annotate(`${equal} of ${LOGS} logs with equal verdicts, ${of}`, 'promise')
}, 120_000)

test('[L10] records that were forged with a right chain stay on record as unanchored', async ({
  annotate,
}) => {
  let reported = 0
  for (let n = 0; n < CASES; n++) {
    const path = await makeLog()
    const thread = THREADS[n % (THREADS.length + 1)] ?? 'a new one'
    const before = await verdictOn(path, thread)
    const [from, count] = [before.head + 1, 1 + upTo(6)]
    forge(path, thread, count)
    const expected = { ok: true, unanchored: count, unanchoredFrom: [from] }
    // Found, found again after another start, and after honest appends and more starts.
    expect(await verdictOn(path, thread)).toMatchObject(expected)
    expect(await verdictOn(path, thread)).toMatchObject(expected)
    await appendSome(path, thread, 1 + upTo(3))
    const after = await verdictOn(path, thread)
    expect(after).toMatchObject({ ...expected, anchored: { seq: after.head } })
    forge(path, thread, 2)
    await appendSome(path, thread, 1)
    expect(await verdictOn(path, thread)).toMatchObject({
      unanchored: count + 2,
      unanchoredFrom: [from, after.head + 1],
    })
    reported++
  }
  await annotate(`${reported} of ${CASES} forged ranges reported with their first seq`, 'promise')
}, 120_000)

async function verdictOn(path: string, thread: string): Promise<Verification> {
  const log = await open(path)
  try {
    return await log.verify(thread)
  } finally {
    await log.close()
  }
}

/** Changes to the heads file alone: most of them keep the log from opening. */
const HEADS_FAULTS: Readonly<Record<string, (path: string) => void>> = {
  missing: (path) => rmSync(`${path}.heads`),
  emptied: (path) => writeFileSync(`${path}.heads`, ''),
  'bit flipped'(path) {
    const bytes = readFileSync(`${path}.heads`)
    const at = upTo(bytes.length - 1)
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << upTo(7)), at)
    writeFileSync(`${path}.heads`, bytes)
  },
  'zeros written'(path) {
    const bytes = readFileSync(`${path}.heads`)
    // Before the last line, which says that they were on the disk.
    const last = bytes.lastIndexOf('\n', -2)
    const at = upTo(last)
    writeFileSync(`${path}.heads`, bytes.fill(0, at, Math.min(last, at + 1 + upTo(80))))
  },
  'line taken out'(path) {
    const lines = readFileSync(`${path}.heads`, 'utf8').split('\n')
    writeFileSync(`${path}.heads`, lines.toSpliced(upTo(lines.length - 2), 1).join('\n'))
  },
  'another store'(path) {
    copyFileSync(`${other}.heads`, `${path}.heads`)
  },
  'signed without a key': (path) => unsign(`${path}.heads`),
  'another key'(path) {
    const lines = readFileSync(`${path}.heads`, 'utf8').split('\n')
    let mac = '0'.repeat(64)
    const signed = lines.slice(0, -1).map((line) => {
      mac = createHmac('sha256', 'not the key')
        .update(`${mac} ${line.slice(65)}`)
        .digest('hex')
      return `${mac} ${line.slice(65)}\n`
    })
    writeFileSync(`${path}.heads`, signed.join(''))
  },
}

let other = ''

test('[L11] heads that are missing, spoiled or foreign keep the log from opening', async ({
  annotate,
}) => {
  other = await makeLog()
  const faults = Object.entries(HEADS_FAULTS)
  let [refused, begun] = [0, 0]
  for (let n = 0; n < CASES; n++) {
    const path = await makeLog()
    const [fault = '', change] = faults[n % faults.length] ?? []
    change?.(path)
    const before = existsSync(`${path}.heads`) ? readFileSync(`${path}.heads`) : undefined
    await expect(open(path), `${fault}, ${path}`).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/"[^"]*\.heads".*(restore|give the key)/) as string,
    })
    refused++
    const after = existsSync(`${path}.heads`) ? readFileSync(`${path}.heads`) : undefined
    if (before === undefined ? after !== undefined : after?.equals(before) !== true) begun++
    // The way out puts all that is stored on record.
    expect(acceptHeads(path, { anchorKeys: [KEY] }).threads).toBe(THREADS.length)
    const { head, ...said } = await verdictOn(path, 'a')
    expect(said).toMatchObject({ ok: true, unanchored: head + 1, unanchoredFrom: [0] })
  }
  expect(begun).toBe(0)
  const kinds = `${refused} of ${CASES} starts over ${faults.length} kinds of bad heads refused`
  await annotate(`${kinds}, ${begun} files begun or changed`, 'promise')
}, 120_000)

test('[L10] a log that was made to look as if it had no key carries the moment of that for ever', async () => {
  const path = await makeLog()
  await appendSome(path, 'a', 1)
  const before = await verdictOn(path, 'a')
  expect(before).not.toHaveProperty('adopted')
  forge(path, 'a', 2)
  forgetKeys(path)
  const moment = Date.now()
  const warnings: string[] = []
  const onWarning = (warning: string) => warnings.push(warning)
  const log = await openLog(`sqlite:${path}`, { anchorKeys: [KEY], onWarning })
  await log.append('a', counted(0, 2))
  await log.close()
  expect(warnings[0]).toContain('have adopted their first key')
  const after = await verdictOn(path, 'a')
  const forged = { unanchored: 2, unanchoredFrom: [before.head + 1] }
  expect(after).toMatchObject({ ok: true, adopted: { seq: before.head }, ...forged })
  expect(after.adopted?.ts).toBeGreaterThanOrEqual(moment)
  await appendSome(path, 'a', 3)
  expect(await verdictOn(path, 'a')).toMatchObject({ adopted: after.adopted, ...forged })
})

test('[L11] heads that were cut or rolled back show what they do not vouch for', async ({
  annotate,
}) => {
  let reported = 0
  for (let n = 0; n < CASES; n++) {
    const path = await makeLog()
    const text = readFileSync(`${path}.heads`, 'utf8')
    const appended = 1 + upTo(5)
    const before = (await verdictOn(path, 'a')).head
    await appendSome(path, 'a', appended)
    // Cut where it stood before, or somewhere in the next line, as a crash would; or put back.
    const torn = readFileSync(`${path}.heads`, 'utf8').slice(0, text.length + upTo(60))
    writeFileSync(`${path}.heads`, n % 2 === 0 ? torn : text)
    const expected = { ok: true, unanchored: appended, unanchoredFrom: [before + 1] }
    expect(await verdictOn(path, 'a')).toMatchObject(expected)
    expect(await verdictOn(path, 'a')).toMatchObject({ ...expected, anchored: { seq: before } })
    reported++
  }
  await annotate(`${reported} of ${CASES} cut or old files reported by what they lack`, 'promise')
}, 120_000)
