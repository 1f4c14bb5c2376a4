import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openLog } from '../storage/index.ts'
import { programArguments } from '../../test/program.fixture.ts'
import { counted, freshPath, tamper } from '../storage/sqlite-folder.fixture.ts'
import { verifyLog } from './verify-log.ts'

const anchorKey = 'a key outside the database'
const script = fileURLToPath(new URL('verify-log.ts', import.meta.url))

/** Runs the verifier as a person does. */
function runVerifier(path: string) {
  const env = { ...process.env, ANCHOR_KEY: anchorKey }
  return spawnSync(process.execPath, [script, path], { env, encoding: 'utf8' })
}

/** Asks the verifier; returns its result for each thread in the form of `log.verify`. */
function verifierSays(path: string, key = anchorKey, wanted: readonly string[] = []) {
  const { lines, exitCode: status } = verifyLog(path, { keys: key ? [key] : [], wanted })
  const stdout = lines.map((line) => `${line}\n`).join('')
  const verdicts = new Map<string, object>()
  for (const line of stdout.split('\n')) {
    const [, sound, name = '', at] =
      /^(sound|unsound) (".*?") (?:up to|at) (-?\d+)/.exec(line) ?? []
    if (sound === 'sound') verdicts.set(String(JSON.parse(name)), { ok: true, head: Number(at) })
    if (sound === 'unsound') verdicts.set(String(JSON.parse(name)), { firstBadSeq: Number(at) })
  }
  return { status, stdout, verdicts }
}

/** Opens the log and lets it judge each of the threads. */
async function logSays(path: string, threads: Iterable<string>) {
  const log = await openLog(`sqlite:${path}`, { anchorKeys: [anchorKey] })
  const verdicts = new Map<string, object>()
  for (const thread of threads) {
    const verdict = await log.verify(thread)
    const { ok, head } = verdict
    verdicts.set(thread, verdict.ok ? { ok, head } : { firstBadSeq: verdict.firstBadSeq })
  }
  await log.close()
  return verdicts
}

const DATA = [
  'Grüße, 世界, 👩‍👩‍👧‍👦',
  'lone \ud800 and \udfff, line\u2028line, nul \0, \ufeff and \ufffd',
  [0, 1.5, -1e-7, 1e21, 5e-324, Number.MAX_VALUE, 0.1 + 0.2],
  { 10: 'ten', b: 1, 9: 'nine', a: { '': [] } },
]

const EDITS = {
  'body altered': 'UPDATE records SET body = replace(body, \'"n":7\', \'"n":8\') WHERE',
  'byte altered': "UPDATE records SET body = CAST(CAST(body AS BLOB) || x'ff' AS TEXT) WHERE",
  'hash altered': 'UPDATE records SET hash = upper(hash) WHERE',
  'hash of another': "UPDATE records SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE",
  'id altered': "UPDATE records SET id = 'another' WHERE",
  'row cut out': 'DELETE FROM records WHERE',
  'row moved': 'UPDATE records SET seq = 1000 WHERE',
  'row misfiled':
    "UPDATE records SET thread = (SELECT number FROM threads WHERE name = 'good') WHERE",
  'name altered':
    "UPDATE threads SET name = 'renamed' WHERE number = -1 OR name = 'name altered'; --",
  'tail cut off':
    'DELETE FROM records WHERE seq > 7 AND thread = (SELECT number FROM threads WHERE name = ',
  'all cut off': 'DELETE FROM records WHERE thread = (SELECT number FROM threads WHERE name = ',
}

/** A log with a thread for each edit and some more. */
async function makeLog(): Promise<string> {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`, { anchorKeys: [anchorKey] })
  await log.append(
    'good',
    DATA.map((data) => ({ type: 'said', data })),
  )
  for (const name of Object.keys(EDITS)) await log.append(name, counted(0, 12))
  await log.append('"quoted" ü', counted(0, 300))
  await log.close()
  return path
}

test('[L1] the verifier, which knows the page on the format only, agrees with the log', async () => {
  const path = await makeLog()
  const clean = verifierSays(path)
  expect(clean.status).toBe(0)
  expect(runVerifier(path)).toMatchObject({ status: 0, stdout: clean.stdout, stderr: '' })
  expect(clean.verdicts).toEqual(await logSays(path, clean.verdicts.keys()))
  expect(clean.verdicts.get('"quoted" ü')).toEqual({ ok: true, head: 299 })
  for (const [name, edit] of Object.entries(EDITS)) {
    const where = edit.endsWith('WHERE')
      ? ` thread = (SELECT number FROM threads WHERE name = '${name}') AND seq = 7`
      : ` '${name}')`
    tamper(path, edit + where)
  }
  const edited = verifierSays(path)
  expect(edited.status).toBe(1)
  expect(runVerifier(path)).toMatchObject({ status: 1, stdout: edited.stdout, stderr: '' })
  expect(edited.verdicts).toEqual(await logSays(path, edited.verdicts.keys()))
  const found = [...edited.verdicts.values()].filter((verdict) => 'firstBadSeq' in verdict)
  // Also the thread that got a row of another, and the one that has records of another name.
  expect(found).toHaveLength(Object.keys(EDITS).length + 2)
  const one = verifierSays(path, anchorKey, ['"quoted" ü'])
  expect(one).toMatchObject({ status: 0, stdout: expect.stringMatching(/^sound/) as string })
})

test('[D1] the verifier finds a log whole while it is written, and after its writer was killed', async () => {
  const path = freshPath()
  const child = spawn(process.execPath, [...programArguments('append-for-a-while'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.stdout.resume()
  const live = verifierSays(path, '')
  // Records that were committed after the heads were read look unconfirmed.
  expect([0, 3]).toContain(live.status)
  expect(live.verdicts.size).toBeGreaterThan(0)
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
  expect(existsSync(`${path}-wal`)).toBe(true)
  const after = verifierSays(path, '')
  expect([0, 3]).toContain(after.status)
  expect(after.verdicts.size).toBe(3)
})

test('[D5] the verifier sees what a flipped bit takes away, in the database and beside it', async () => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`, { anchorKeys: [anchorKey] })
  for (let n = 0; n < 40; n++) await log.append('t', counted(n, n + 1))
  for (const suffix of ['', '-wal', '.heads']) {
    if (existsSync(path + suffix)) copyFileSync(path + suffix, `${path}.copy${suffix}`)
  }
  await log.close()
  const wal = readFileSync(`${path}.copy-wal`)
  wal.writeUInt8(wal.readUInt8(wal.length >> 1) ^ 1, wal.length >> 1)
  writeFileSync(`${path}.copy-wal`, wal)
  const { status, verdicts } = verifierSays(`${path}.copy`)
  expect(status).toBe(1)
  expect(verdicts).toEqual(await logSays(`${path}.copy`, ['t']))
})

test('the verifier reports when it has no verdict, and which parts it cannot see', async () => {
  const path = await makeLog()
  expect(verifierSays(path, 'another key')).toMatchObject({
    status: 2,
    stdout: expect.stringContaining('is signed with none of the keys given') as string,
  })
  const theirs = freshPath()
  tamper(theirs, 'CREATE TABLE theirs (x)')
  expect(verifierSays(theirs)).toMatchObject({ status: 2 })
  expect(verifierSays(`${path}-none`)).toMatchObject({ status: 2 })
  copyFileSync(path, theirs)
  expect(verifierSays(theirs)).toMatchObject({
    status: 3,
    stdout: expect.stringContaining('a tail that is missing cannot be seen') as string,
  })
})
