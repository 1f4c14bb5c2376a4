import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fullTest } from '../../test/tier.fixture.ts'
import { REDACTED, redactAt } from '../json/index.ts'
import { MemoryKeys, eventLogContract, newSubjectKey } from '../log/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import { randomBytes, uuidv7 } from '../platform/index.ts'
import { openKeys, openLog } from '../storage/index.ts'
import { execute, noPostgres, postgresServer } from '../storage/postgres/postgres-server.fixture.ts'
import { freshPath, recordsOf } from '../storage/sqlite-folder.fixture.ts'
import { KeyRing, SealedLog } from './index.ts'
import type { Redactor } from './index.ts'

const server = postgresServer()
const ERASURE = { at: 1, by: 'kim', why: 'asked' }

/** Hides all data, or the member `name` of it. */
const ALL: Redactor = ({ data, origin }) => ({
  data: data === null ? null : REDACTED,
  ...(origin && { origin }),
})
const NAMES: Redactor = ({ data, origin }) => ({
  data: redactAt(data, ['name']),
  ...(origin && { origin }),
})

const memoryKeys = () => new MemoryKeys(() => newSubjectKey(randomBytes))

function sealed(log: EventLog, redactor: Redactor, ring = new KeyRing(memoryKeys())) {
  const locked: string[] = []
  const onLocked = (thread: string): void => void locked.push(thread)
  const seals = new SealedLog({ log, ring, redactorOf: () => redactor, id: uuidv7, onLocked })
  onTestFinished(() => log.close())
  return { log, ring, seals, locked }
}

/** The hash is over what is stored, and a seal takes a third more than what it hides. */
const OF_WHAT_IS_STORED = ['as a stranger computes them', 'up to 1 MiB']

const STORES = {
  memory: () => openLog('memory:'),
  sqlite: () => openLog(`sqlite:${freshPath()}`),
  postgres: async () => openLog(await server.emptiedDatabase()),
}

for (const [store, open] of Object.entries(STORES)) {
  const opened = async () =>
    new SealedLog({
      log: await open(),
      ring: new KeyRing(memoryKeys()),
      redactorOf: () => ALL,
      id: uuidv7,
    })
  for (const { name, run } of eventLogContract(opened)) {
    if (OF_WHAT_IS_STORED.some((part) => name.includes(part))) continue
    // Its own log passes them in every run.
    const each = store === 'postgres' ? fullTest : test
    each.skipIf(store === 'postgres' && noPostgres)(`${store}: ${name}`, run)
  }

  test.skipIf(store === 'postgres' && noPostgres)(
    `[L4] ${store}: what is sealed is read by all ways until its key is destroyed, and by none afterwards`,
    async () => {
      const { log, ring, seals, locked } = sealed(await open(), NAMES)
      const [ann] = await seals.append('t', [{ type: 'met', data: { name: 'Ann', ward: 'west' } }])
      await seals.append('u', [{ type: 'met', data: { name: 'Ben', ward: 'east' } }])
      const ways = async (of: string) => {
        const texts: string[] = []
        for await (const batch of seals.readJson?.(of) ?? []) texts.push(...batch)
        const following = seals.subscribe(of)
        const { value } = await following.next()
        await following.return?.()
        const read = await recordsOf(seals, of)
        const found = await seals.find(of, read[0]?.id ?? '')
        const again = await seals.append(of, [
          { id: read[0]?.id ?? '', type: 'CUSTOM', data: null },
        ])
        return [read[0], found, texts.map((each) => JSON.parse(each))[0], value?.[0], again[0]]
      }
      expect((await ways('t')).map((each) => each.data)).toEqual(
        Array.from({ length: 5 }, () => ({ name: 'Ann', ward: 'west' })),
      )
      expect(new Set((await ways('t')).map((each) => JSON.stringify(each))).size).toBe(1)
      expect(ann).toEqual((await ways('t'))[0])
      await ring.keys.erase('t', ERASURE)
      ring.forget('t')
      expect((await ways('t')).map((each) => each.data)).toEqual(
        Array.from({ length: 5 }, () => ({ name: REDACTED, ward: 'west' })),
      )
      expect((await ways('u'))[0].data).toEqual({ name: 'Ben', ward: 'east' })
      expect(JSON.stringify(await recordsOf(log, 't'))).not.toContain('Ann')
      expect(await log.verify('t')).toMatchObject({ ok: true, head: 0 })
      expect(locked).toEqual([])
    },
  )
}

test('an erased thread takes the end of what runs, without its words, and nothing new', async () => {
  const { log, ring, seals } = sealed(await openLog('memory:'), ALL)
  await seals.append('t', [{ type: 'met', data: { name: 'Ann' } }])
  await ring.keys.erase('t', ERASURE)
  ring.forget('t')
  for (const type of ['met', 'RUN_STARTED', 'event_refused']) {
    const data = { name: 'Ann' }
    await expect(seals.append('t', [{ type, data }])).rejects.toMatchObject({ code: 'erased' })
    await expect(seals.append('t', [{ type, data: null }])).rejects.toMatchObject({
      code: 'erased',
    })
  }
  const [said] = await seals.append('t', [
    { type: 'TEXT_MESSAGE_CONTENT', data: { delta: 'Hi Ann' } },
  ])
  expect(said?.data).toBe(REDACTED)
  expect(JSON.stringify(await recordsOf(log, 't'))).not.toContain('Ann')
})

test('[L4] a seal that is moved to another record, changed or made by somebody opens nothing', async () => {
  const { log, seals, locked } = sealed(await openLog('memory:'), NAMES)
  await seals.append('t', [{ type: 'met', data: { name: 'Ann' } }])
  const [stored] = await recordsOf(log, 't')
  const moved = await log.append('t', [{ type: 'met', data: stored?.data ?? null }])
  const text = JSON.stringify(stored?.data).replace(/"bytes":"../, '"bytes":"AA')
  await log.append('t', [{ type: 'met', data: JSON.parse(text) }])
  const given = { 'throughline.sealed': { key: 'k', iv: 'i', bytes: 'b' } }
  const [own] = await seals.append('t', [{ type: 'met', data: given }])
  const data = (await recordsOf(seals, 't')).map((record: LogRecord) => record.data)
  expect(data).toEqual([{ name: 'Ann' }, { name: REDACTED }, { name: REDACTED }, given])
  expect([moved.length, own?.data]).toEqual([1, given])
  expect(locked).toContain('t')
})

test('a thread whose key is lost is shown without what is personal, and that is reported', async () => {
  const { log, seals } = sealed(await openLog('memory:'), NAMES)
  await seals.append('t', [{ type: 'met', data: { name: 'Ann', ward: 'west' } }])
  const other = sealed(log, NAMES)
  expect((await recordsOf(other.seals, 't'))[0]?.data).toEqual({ name: REDACTED, ward: 'west' })
  expect(other.locked).toEqual(['t'])
})

test('[L4] nothing of what is sealed was ever in clear in a file beside the database', async () => {
  const path = freshPath()
  const keys = await openKeys(`sqlite:${path}.keys`)
  onTestFinished(() => keys.close())
  const { seals } = sealed(await openLog(`sqlite:${path}`), NAMES, new KeyRing(keys))
  const names = Array.from({ length: 60 }, (_, n) => `planted-${n}-value`)
  await seals.append(
    't',
    names.map((name) => ({ type: 'met', data: { name } })),
  )
  const folder = dirname(path)
  const bytes = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))
  expect(bytes.join('\n').match(/planted-/g)).toBeNull()
  expect((await recordsOf(seals, 't')).map(({ data }) => data)).toEqual(
    names.map((name) => ({ name })),
  )
})

test.skipIf(noPostgres)('[L4] nothing of what is sealed is in clear in a table', async () => {
  const url = await server.newDatabase()
  const keys = await openKeys(url)
  onTestFinished(() => keys.close())
  const { seals } = sealed(await openLog(url), NAMES, new KeyRing(keys))
  await seals.append('t', [{ type: 'met', data: { name: 'planted-value' } }])
  const rows = await execute(url, 'SELECT body FROM throughline.records')
  expect([rows.length, JSON.stringify(rows).includes('planted')]).toEqual([1, false])
})
