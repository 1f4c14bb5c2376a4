import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openLog } from '../../src/storage/index.ts'
import { counted, freshPath } from '../../src/storage/sqlite-folder.fixture.ts'
import { chance, newSeed } from '../chance.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'

const EDITS = timesInTier({ quick: 60, full: 200 })
const CLEAN_LOGS = timesInTier({ quick: 12, full: 50 })
/** Of the clean logs: the verifier is a process for each. */
const VERIFIED_APART = timesInTier({ quick: 2, full: CLEAN_LOGS })
const LENGTH = 24
const anchorKey = 'a key outside the database'

const random = chance(newSeed())
const verifier = fileURLToPath(new URL('../../src/cli/verify-log.ts', import.meta.url))

function upTo(count: number): number {
  return Math.floor(random() * count)
}

/** One thread of a database, edited by an attacker with full access to the file. */
class Edited {
  readonly #database: DatabaseSync
  readonly #number: number

  constructor(database: DatabaseSync, thread: string) {
    this.#database = database
    const row = database.prepare('SELECT number FROM threads WHERE name = ?').get(thread)
    this.#number = Number(row?.['number'])
  }

  body(seq: number): Buffer {
    const of = 'SELECT CAST(body AS BLOB) AS body FROM records WHERE thread = ? AND seq = ?'
    return Buffer.from(this.#database.prepare(of).get(this.#number, seq)?.['body'] as Uint8Array)
  }

  /** Sets a column of the rows from one position to another. */
  set(column: string, value: number | string | Buffer, [from, to]: readonly [number, number]) {
    const given = Buffer.isBuffer(value) ? 'CAST(? AS TEXT)' : '?'
    const change = `UPDATE records SET ${column} = ${given} WHERE thread = ? AND seq BETWEEN ? AND ?`
    this.#database.prepare(change).run(value, this.#number, from, to)
  }

  cut(from: number, to: number): void {
    const rows = 'DELETE FROM records WHERE thread = ? AND seq BETWEEN ? AND ?'
    this.#database.prepare(rows).run(this.#number, from, to)
  }

  rename(name: string): void {
    this.#database.prepare('UPDATE threads SET name = ? WHERE number = ?').run(name, this.#number)
  }
}

/** Each edits a thread somewhere and returns the first position that is bad then. */
const KINDS: Readonly<Record<string, (thread: Edited) => number>> = {
  byteAltered(thread) {
    const seq = upTo(LENGTH)
    const body = thread.body(seq)
    const at = upTo(body.length)
    body.writeUInt8(body.readUInt8(at) ^ (1 + upTo(255)), at)
    thread.set('body', body, [seq, seq])
    return seq
  },
  saysSomethingElse(thread) {
    const seq = upTo(LENGTH)
    const said = thread.body(seq).toString()
    thread.set('body', said.replace('"n":', '"n":1'), [seq, seq])
    return seq
  },
  hashAltered(thread) {
    const seq = upTo(LENGTH)
    thread.set('hash', hash('sha256', String(seq)), [seq, seq])
    return seq
  },
  /** With its hash, so that only the record after it, or the anchor, tells. */
  sealedAnew(thread) {
    const seq = upTo(LENGTH)
    reseal(thread, seq)
    return Math.min(seq + 1, LENGTH - 1)
  },
  /** The whole rest of the chain: only the anchor tells. */
  writtenAnew(thread) {
    const from = upTo(LENGTH)
    let prev = reseal(thread, from)
    for (let seq = from + 1; seq < LENGTH; seq++) prev = reseal(thread, seq, prev)
    return LENGTH - 1
  },
  idAltered(thread) {
    const seq = upTo(LENGTH)
    thread.set('id', `00000000-0000-7000-8000-${String(upTo(1e9)).padStart(12, '0')}`, [seq, seq])
    return seq
  },
  cutOut(thread) {
    const seq = upTo(LENGTH)
    thread.cut(seq, Math.min(LENGTH - 1, seq + upTo(4)))
    return seq
  },
  tailCutOff(thread) {
    const seq = upTo(LENGTH)
    thread.cut(seq, LENGTH)
    return seq
  },
  moved(thread) {
    const seq = upTo(LENGTH)
    thread.set('seq', LENGTH + upTo(1_000), [seq, seq])
    return seq
  },
  swapped(thread) {
    const one = upTo(LENGTH - 1)
    const other = one + 1 + upTo(LENGTH - 1 - one)
    thread.set('seq', -1, [one, one])
    thread.set('seq', one, [other, other])
    thread.set('seq', other, [-1, -1])
    return one
  },
  filedElsewhere(thread) {
    const seq = upTo(LENGTH)
    thread.set('thread', 1_000_000 + upTo(1e9), [seq, seq])
    return seq
  },
  renamed(thread) {
    thread.rename(`another ${upTo(1e9)}`)
    return 0
  },
}

/** Alters a record and gives it the hash that its new bytes have. */
function reseal(thread: Edited, seq: number, prev?: string): string {
  const said = JSON.parse(thread.body(seq).toString()) as { prev: string; ts: number }
  said.ts++
  said.prev = prev ?? said.prev
  const body = JSON.stringify(said)
  const sealed = hash('sha256', `${said.prev}\n${body}`)
  thread.set('body', body, [seq, seq])
  thread.set('hash', sealed, [seq, seq])
  return sealed
}

/** The verdict on each thread: its first bad position, or sound. */
type Verdicts = ReadonlyMap<string, number | 'sound'>

async function logSays(path: string, threads: readonly string[]): Promise<Verdicts> {
  const log = await openLog(`sqlite:${path}`, { anchorKeys: [anchorKey] })
  const verdicts = new Map<string, number | 'sound'>()
  for (const thread of threads) {
    const verdict = await log.verify(thread)
    verdicts.set(thread, verdict.ok ? 'sound' : verdict.firstBadSeq)
  }
  await log.close()
  return verdicts
}

function verifierSays(path: string): Verdicts {
  const env = { ...process.env, ANCHOR_KEY: anchorKey }
  const { stdout } = spawnSync(process.execPath, [verifier, path], { env, encoding: 'utf8' })
  const lines = stdout.matchAll(/^(?:(sound)|unsound) "(.*?)" (?:up to|at) (-?\d+)/gm)
  return new Map(
    Array.from(lines, ([, sound, thread = '', at]) => [thread, sound ? 'sound' : Number(at)]),
  )
}

async function makeLog(threads: readonly string[], length: number): Promise<string> {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`, { anchorKeys: [anchorKey] })
  await Promise.all(threads.map((thread) => log.append(thread, counted(0, length))))
  await log.close()
  return path
}

test('[L1] every edit of the stored log is found, and its first bad position named', async ({
  annotate,
}) => {
  const kinds = Object.keys(KINDS)
  const edits = Array.from({ length: EDITS }, (_, n) => `${kinds[n % kinds.length]} ${n}`)
  const path = await makeLog([...edits, 'left alone'], LENGTH)
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  const expected = new Map<string, number | 'sound'>([['left alone', 'sound']])
  for (const edit of edits) {
    const [kind = ''] = edit.split(' ')
    expected.set(edit, KINDS[kind]?.(new Edited(database, edit)) ?? -1)
  }
  database.close()
  const [ours, theirs] = [await logSays(path, [...expected.keys()]), verifierSays(path)]
  const missed = [...expected].filter(([edit, seq]) => {
    return ours.get(edit) !== seq || theirs.get(edit) !== seq
  })
  expect(missed).toEqual([])
  const found = `${EDITS - missed.length} of ${EDITS} edits of ${kinds.length} kinds`
  await annotate(`${found} found and placed, by the log and by the offline verifier`, 'promise')
})

test('[L1] a log without edits is never reported as edited', async ({ annotate }) => {
  let alarms = 0
  for (let n = 0; n < CLEAN_LOGS; n++) {
    const threads = ['a', 'b', 'ü "quoted"'].slice(0, 1 + upTo(3))
    const path = await makeLog(threads, 1 + upTo(300))
    const verdicts = [await logSays(path, threads)]
    if (n < VERIFIED_APART) verdicts.push(verifierSays(path))
    for (const verdict of verdicts) {
      expect(verdict.size).toBe(threads.length)
      alarms += [...verdict.values()].filter((said) => said !== 'sound').length
    }
  }
  expect(alarms).toBe(0)
  const apart = `${VERIFIED_APART} of them by the offline verifier too`
  await annotate(`${alarms} false alarms on ${CLEAN_LOGS} clean logs, ${apart}`, 'promise')
})
