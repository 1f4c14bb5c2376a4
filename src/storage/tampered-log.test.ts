import { copyFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forge } from '../../test/durability/forge.fixture.ts'
import { acceptHeads } from './accept-heads.ts'
import { THREAD_WARNINGS_MAX } from './heads/head-watch.ts'
import { openLog } from './open-log.ts'
import { counted, freshPath, recordsOf, tamper } from './sqlite-folder.fixture.ts'

const LENGTH = 40
const anchorKey = 'a key outside the database'

/** One log, made once and copied for each edit. */
const original = freshPath()
{
  const log = await openLog(`sqlite:${original}`, { anchorKeys: [anchorKey], now: () => 1 })
  await log.append('other', counted(0, 5))
  await log.append('t', [...counted(0, LENGTH - 1), { type: 'said', data: 'caf\ufffd' }])
  await log.close()
}

/** The verdict after the database was edited behind the log's back. */
async function verdictAfter(...statements: readonly string[]) {
  const path = freshPath()
  for (const suffix of ['', '.heads']) copyFileSync(original + suffix, path + suffix)
  tamper(path, ...statements)
  const log = await openLog(`sqlite:${path}`, { anchorKeys: [anchorKey] })
  const verdict = await log.verify('t')
  expect(await log.verify('other')).toMatchObject({ ok: true, head: 4, unanchored: 0 })
  await log.close()
  return verdict
}

const T = "thread = (SELECT number FROM threads WHERE name = 't')"
const at = (seq: number) => `${T} AND seq = ${seq}`
const anySeq = fc.nat({ max: LENGTH - 1 })

test('[L1] a clean log verifies', async () => {
  expect(await verdictAfter()).toMatchObject({ ok: true, head: LENGTH - 1, unanchored: 0 })
})

test('[L1] any byte of any stored text is missed when it changes', async () => {
  const database = new DatabaseSync(original, { readOnly: true })
  const rows = database.prepare(`SELECT CAST(body AS BLOB) AS body FROM records WHERE ${T}`).all()
  database.close()
  const bodies = rows.map(({ body }) => Buffer.from(body as Uint8Array))
  await fc.assert(
    fc.asyncProperty(anySeq, fc.nat(), fc.integer({ min: 1, max: 255 }), async (seq, n, flip) => {
      const body = Buffer.from(bodies[seq] ?? [])
      const index = n % body.length
      body[index] = (body[index] ?? 0) ^ flip
      const edit = `UPDATE records SET body = CAST(x'${body.toString('hex')}' AS TEXT) WHERE ${at(seq)}`
      expect(await verdictAfter(edit)).toMatchObject({ ok: false, firstBadSeq: seq })
    }),
    { numRuns: 60 },
  )
})

test('[L1] a byte that decodes to the same replacement character is missed too', async () => {
  const broken = `replace(CAST(body AS BLOB), x'efbfbd', x'ff')`
  const edit = `UPDATE records SET body = CAST(${broken} AS TEXT) WHERE ${at(LENGTH - 1)}`
  expect(await verdictAfter(edit)).toMatchObject({ ok: false, firstBadSeq: LENGTH - 1 })
})

test('[L1] rows that are cut out, moved, swapped or filed elsewhere are missed', async () => {
  await fc.assert(
    fc.asyncProperty(anySeq, async (seq) => {
      const bad = async (...edits: string[]) => (await verdictAfter(...edits)) as unknown
      const found = { ok: false, firstBadSeq: seq }
      expect(await bad(`DELETE FROM records WHERE ${at(seq)}`)).toMatchObject(found)
      expect(await bad(`UPDATE records SET seq = 1000 WHERE ${at(seq)}`)).toMatchObject(found)
      expect(await bad(`UPDATE records SET hash = upper(hash) WHERE ${at(seq)}`)).toMatchObject(
        found,
      )
      expect(await bad(`UPDATE records SET id = '${seq}' WHERE ${at(seq)}`)).toMatchObject(found)
      const move = (from: number, to: number) => `UPDATE records SET seq = ${to} WHERE ${at(from)}`
      const other = (seq + 1) % LENGTH
      const swap = [move(seq, -1), move(other, seq), move(-1, other)]
      expect(await bad(...swap)).toMatchObject({ ok: false, firstBadSeq: Math.min(seq, other) })
    }),
    { numRuns: 25 },
  )
})

test('[L1] a tail that was cut off is missed, down to the whole thread', async () => {
  for (const length of [LENGTH - 1, 7, 0]) {
    const verdict = await verdictAfter(`DELETE FROM records WHERE ${T} AND seq >= ${length}`)
    expect(verdict).toMatchObject({ ok: false, head: length - 1, firstBadSeq: length })
  }
  const gone = [`DELETE FROM records WHERE ${T}`, `DELETE FROM threads WHERE name = 't'`]
  expect(await verdictAfter(...gone)).toMatchObject({ ok: false, head: -1, firstBadSeq: 0 })
  const renamed = await verdictAfter(`UPDATE threads SET name = 'u' WHERE name = 't'`)
  expect(renamed).toMatchObject({ ok: false, head: -1, firstBadSeq: 0 })
})

test('[D5] a record that the index over ids has lost is missed', async () => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`)
  await log.append('t', counted(0, 9))
  await log.close()
  // The row comes back while the index is out of sight.
  tamper(
    path,
    "CREATE TABLE hidden AS SELECT * FROM sqlite_schema WHERE name = 'records_by_id'",
    'CREATE TABLE kept AS SELECT * FROM records WHERE seq = 4',
    'DELETE FROM records WHERE seq = 4',
    'PRAGMA writable_schema = ON',
    "DELETE FROM sqlite_schema WHERE name = 'records_by_id'",
  )
  tamper(
    path,
    'INSERT INTO records SELECT * FROM kept',
    'PRAGMA writable_schema = ON',
    'INSERT INTO sqlite_schema SELECT * FROM hidden',
  )
  const again = await openLog(`sqlite:${path}`)
  expect(await again.verify('t')).toMatchObject({ ok: false, head: 8, firstBadSeq: 4 })
  await again.close()
})

test('an edit under a running log is found as well, a cut-off tail included', async () => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`)
  await log.append('t', counted(0, 20))
  tamper(path, 'DELETE FROM records WHERE seq > 11')
  expect(await log.verify('t')).toMatchObject({ ok: false, head: 11, firstBadSeq: 12 })
  tamper(path, "UPDATE records SET body = replace(body, 'counted', 'changed') WHERE seq = 4")
  expect(await log.verify('t')).toMatchObject({ ok: false, head: 11, firstBadSeq: 4 })
  await log.close()
})

test('no read passes a gap silently', async () => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`)
  await log.append('t', counted(0, 9))
  tamper(path, 'DELETE FROM records WHERE seq = 5')
  const subscription = log.subscribe('t', { after: 1 })
  expect((await subscription.next()).value).toMatchObject([{ seq: 2 }, { seq: 3 }, { seq: 4 }])
  await expect(subscription.next()).rejects.toMatchObject({
    code: 'corrupt',
    message: 'Cannot read "t": record 5 is not where it belongs',
  })
  await log.close()
})

test('nothing is appended to a thread that lacks known records', async () => {
  const path = freshPath()
  const before = await openLog(`sqlite:${path}`)
  await before.append('t', counted(0, 9))
  await before.append('u', counted(0, 2))
  await before.close()
  tamper(path, 'DELETE FROM records WHERE seq > 5')
  const log = await openLog(`sqlite:${path}`)
  await expect(log.append('t', counted(6, 7))).rejects.toMatchObject({
    code: 'corrupt',
    message: 'Cannot append to "t": it does not hold the record 8 that it is known to have had',
  })
  expect(await log.append('u', counted(2, 3))).toMatchObject([{ seq: 2 }])
  expect(await log.verify('t')).toMatchObject({ ok: false, head: 5, firstBadSeq: 6 })
  await log.close()
})

test('[L11] threads that are cut, or hold foreign records, are warned of when first met', async () => {
  const path = freshPath()
  const before = await openLog(`sqlite:${path}`)
  for (const thread of ['cut', 'forged', 'left alone']) await before.append(thread, counted(0, 5))
  await before.close()
  tamper(path, 'DELETE FROM records WHERE thread = 1 AND seq > 2')
  forge(path, 'forged', 2)
  const warnings: string[] = []
  const log = await openLog(`sqlite:${path}`, { onWarning: (warning) => warnings.push(warning) })
  expect(warnings).toEqual([])
  for (const thread of ['left alone', 'cut', 'cut']) await recordsOf(log, thread)
  await log.append('forged', counted(7, 8))
  await recordsOf(log, 'forged')
  expect(warnings).toEqual([
    'The thread "cut" does not hold the record 4 that it is known to have had',
    'The thread "forged" has records without a head: 5 to 6',
  ])
  await log.close()
})

test('threads are warned of up to a bound', async () => {
  const path = freshPath()
  await (await openLog(`sqlite:${path}`)).close()
  for (let n = 0; n <= THREAD_WARNINGS_MAX; n++) forge(path, `t${n}`, 1)
  rmSync(`${path}.heads`)
  expect(acceptHeads(path).records).toBe(THREAD_WARNINGS_MAX + 1)
  for (let n = 0; n <= THREAD_WARNINGS_MAX; n++) forge(path, `t${n}`, 1)
  const warnings: string[] = []
  const log = await openLog(`sqlite:${path}`, { onWarning: (warning) => warnings.push(warning) })
  for (const thread of await log.threads()) await log.head(thread)
  for (const thread of await log.threads()) await recordsOf(log, thread)
  expect(warnings).toHaveLength(THREAD_WARNINGS_MAX)
  expect(warnings.at(-1)).toContain('Later threads are not named')
  await log.close()
})
