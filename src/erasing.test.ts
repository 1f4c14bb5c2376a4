import { readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scriptedModel } from './models/index.ts'
import { open } from './open.ts'
import { execute, noPostgres, postgresServer } from './storage/postgres/postgres-server.fixture.ts'
import { freshPath } from './storage/sqlite-folder.fixture.ts'
import { plantedIn, visit, visitsApp } from './visits.fixture.ts'
import { recordsOf } from '../test/memory-log.fixture.ts'

const server = postgresServer()
const REQUEST = { by: 'operator-7', why: 'asked by letter' }
async function opened(store: string, faults: unknown[] = []) {
  const app = visitsApp()
  const tl = await open({ store, apps: [app], onFault: (error) => void faults.push(error) })
  onTestFinished(() => tl.close(0))
  return tl
}

const STORES = {
  memory: async () => 'memory:',
  sqlite: async () => `sqlite:${freshPath()}`,
  postgres: async () => server.newDatabase(),
}

for (const [store, address] of Object.entries(STORES)) {
  const skips = store === 'postgres' && noPostgres

  test.skipIf(skips)(
    `[L4] ${store}: after an erasure no reader gets what was personal`,
    async () => {
      const faults: unknown[] = []
      const tl = await opened(await address(), faults)
      await visit(tl, 't')
      await visit(tl, 'other')
      const before = JSON.stringify([await recordsOf(tl.log, 't'), await tl.state('t')])
      expect(plantedIn(before)).toBe(60)
      const left = await tl.erase('t', REQUEST)
      expect(left).toMatchObject({ ...REQUEST, clear: 0 })
      expect(left.sealed).toBeGreaterThan(30)
      const records = await recordsOf(tl.log, 't')
      const views = ['clerk', 'auditor', 'operator'].map((role) => tl.app('visits').view(role))
      const states = await Promise.all(
        views.flatMap((view) => records.map(({ seq }) => view.state('t', seq))),
      )
      const listed = await tl.threads({ where: { ward: 'west' } })
      const after = [
        records,
        await tl.state('t'),
        states,
        listed.threads.find((each) => each.thread === 't'),
      ]
      expect(plantedIn(JSON.stringify(after))).toBe(0)
      expect(await tl.state('t')).toMatchObject({
        state: {
          ward: 'west',
          patient: { name: '[redacted]', age: '[redacted]' },
          isChild: '[redacted]',
        },
      })
      expect((await views[0]?.state('t'))?.state).toEqual((await tl.state('t')).state)
      expect(await tl.verify('t')).toMatchObject({ ok: true, head: records.length - 1 })
      expect(plantedIn(JSON.stringify(await recordsOf(tl.log, 'other')))).toBe(60)
      expect(await tl.erase('t', { by: 'another', why: 'again' })).toEqual(left)
      expect(faults).toEqual([])
    },
  )

  test.skipIf(skips)(`${store}: an erased thread takes no events and no turns`, async () => {
    const tl = await opened(await address())
    await visit(tl, 't')
    await tl.erase('t', REQUEST)
    const refused = { code: 'erased' }
    const moved = tl.propose('t', [{ type: 'moved', data: { ward: 'east' } }])
    await expect(moved).rejects.toMatchObject(refused)
    const turn = tl.turn('t', { agent: 'nurse', input: 'Hello' })
    await expect(turn.result).rejects.toMatchObject(refused)
    await tl.propose('u', [{ type: 'moved', data: { ward: 'east' } }])
  })
}

test('[L4] no file beside a log holds a planted value in clear, before an erasure or after it', async ({
  annotate,
}) => {
  const path = freshPath()
  const tl = await opened(`sqlite:${path}`)
  const files = () => {
    const folder = dirname(path)
    return readdirSync(folder).map((name) => {
      const found = plantedIn(readFileSync(join(folder, name), 'latin1'))
      return [name.slice(name.indexOf('.db')), found] as const
    })
  }
  await visit(tl, 't')
  // Long enough for a snapshot.
  const notes = Array.from({ length: 1_000 }, (_, n) => ({ text: `planted${n % 60}x` }))
  await tl.propose(
    't',
    notes.map((data) => ({ type: 'noted', data }) as const),
  )
  expect(statSync(`${path}.snapshots-wal`).size).toBeGreaterThan(10_000)
  const indexed = ['.db.side', '.db.side-wal']
  const others = files().filter(([name]) => !indexed.includes(name))
  expect(others.filter(([, count]) => count !== 0)).toEqual([])
  // The index of threads holds what it is declared to hold, in clear.
  expect(files().some(([name, count]) => indexed.includes(name) && count !== 0)).toBe(true)
  await tl.erase('t', REQUEST)
  const left = files().filter(([, count]) => count !== 0)
  expect(left).toEqual([])
  await tl.close()
  const after = await opened(`sqlite:${path}`)
  expect(plantedIn(JSON.stringify([await recordsOf(after.log, 't'), await after.state('t')]))).toBe(
    0,
  )
  await annotate(`${left.length} of ${files().length} files hold one of 60 values`, 'promise')
})

test('[L4] a turn that runs while its person is erased ends, and leaves none of its words', async () => {
  const path = freshPath()
  const held = heldModel('I read planted2x')
  const tl = await open({ store: `sqlite:${path}`, apps: [visitsApp({ model: held.model })] })
  onTestFinished(() => tl.close(0))
  const turn = tl.turn('t', { agent: 'nurse', input: 'planted1x' })
  const ended = turn.result.catch((error: unknown) => error)
  await held.asked
  const erasing = tl.erase('t', REQUEST)
  held.goOn()
  await Promise.all([ended, erasing])
  const records = await recordsOf(tl.log, 't')
  expect(plantedIn(JSON.stringify(records))).toBe(0)
  expect(records.filter(({ type }) => /^RUN_(FINISHED|ERROR)$/.test(type))).toHaveLength(1)
  await tl.close()
  const after = await opened(`sqlite:${path}`)
  expect(await recordsOf(after.log, 't')).toEqual(records)
  expect(plantedIn(readFileSync(path, 'latin1'))).toBe(0)
})

/** A model that says nothing before it may. */
function heldModel(text: string) {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: goes, resolve: goOn } = Promise.withResolvers<void>()
  const scripted = scriptedModel(() => text)
  const model: typeof scripted = Object.assign(Object.create(scripted), {
    async doStream(...given: Parameters<typeof scripted.doStream>) {
      ask()
      await goes
      return scripted.doStream(...given)
    },
  })
  return { model, asked, goOn }
}

test.skipIf(noPostgres)(
  '[L4] no row of a table holds a planted value after an erasure',
  async () => {
    const url = await server.newDatabase()
    const tl = await opened(url)
    await visit(tl, 't')
    await tl.erase('t', REQUEST)
    const tables = await execute(
      url,
      `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
      WHERE table_schema LIKE 'throughline%'`,
    )
    expect(tables.length).toBeGreaterThan(8)
    for (const { name } of tables) {
      const rows = await execute(url, `SELECT t::text AS row FROM ${String(name)} t`)
      expect([name, plantedIn(JSON.stringify(rows))]).toEqual([name, 0])
    }
  },
)

test('an application that is not erasable refuses, and so does a thread that is empty', async () => {
  const plain = await open({ store: 'memory:', apps: [visitsApp({ erasable: false })] })
  await plain.propose('t', [{ type: 'moved', data: { ward: 'east' } }])
  await expect(plain.erase('t', REQUEST)).rejects.toMatchObject({ code: 'not_erasable' })
  await plain.close()
  const tl = await opened('memory:')
  await expect(tl.erase('t', REQUEST)).rejects.toMatchObject({ code: 'unknown_thread' })
  await tl.propose('t', [{ type: 'moved', data: { ward: 'east' } }])
  const silent = tl.erase('t', { by: 'kim', why: ' ' })
  await expect(silent).rejects.toMatchObject({ code: 'invalid_query' })
})
