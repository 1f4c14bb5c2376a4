import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { EventLog, Notes } from './log/index.ts'
import { LogError, MemoryLog } from './log/index.ts'
import { defineApp, defineDomain, open } from './public/index.ts'
import { noPostgres, postgresServer } from './storage/postgres/postgres-server.fixture.ts'
import { freshPath } from './storage/sqlite-folder.fixture.ts'
import { memoryLog } from '../test/memory-log.fixture.ts'

const server = postgresServer()
const { event, domain } = defineDomain<object>()

interface Written {
  readonly version?: number
  readonly complete?: true
}

/** A till whose sales have this schema. */
function till(schema: z.ZodType, { version = 1 }: Written = {}) {
  return domain({
    name: 'till',
    initial: {},
    events: {
      sold: event({
        schema,
        by: [{ source: 'ui' }],
        reduce: (state) => state,
        version,
        upcasts: Array.from({ length: version - 1 }, () => (data) => data),
      }),
    },
  })
}

const pounds = z.object({ pounds: z.number() })
const pence = z.object({ pence: z.int() })

async function opened(store: string | EventLog, schema: z.ZodType, written: Written = {}) {
  const faults: unknown[] = []
  const tl = await open({
    store,
    domain: till(schema, written),
    onFault: (error) => void faults.push(error),
  })
  onTestFinished(() => tl.close())
  return { tl, faults }
}

const newLog = () => memoryLog()

const STORES: Readonly<Record<string, () => Promise<string | EventLog>>> = {
  'a log in memory': async () => newLog(),
  SQLite: async () => `sqlite:${freshPath()}`,
  ...(noPostgres ? {} : { Postgres: () => server.newDatabase() }),
}

for (const [name, newStore] of Object.entries(STORES)) {
  test(`another schema under the same version is refused with the change and the mend: ${name}`, async () => {
    const store = await newStore()
    const { tl } = await opened(store, pounds)
    await tl.propose('t', [{ type: 'sold', data: { pounds: 5 } }])
    await tl.close()
    await expect(opened(store, pence)).rejects.toMatchObject({
      name: 'ApplicationError',
      code: 'schema_changed',
      message:
        'Cannot open "main": the schema of its event type "sold" is not the one that the store keeps ' +
        'for version 1: "pounds" was required and is gone; "pence" is new and required. Give it ' +
        '`version: 2` and an upcast from version 1, or the schema that it had',
    })
    // The refused one kept nothing, and left the store free.
    await (await opened(store, pounds)).tl.close()
    await (await opened(store, pence, { version: 2 })).tl.close()
    await expect(opened(store, pounds, { version: 2 })).rejects.toThrow('for version 2')
  })

  test(`a new optional member passes, and its type is kept from then on: ${name}`, async () => {
    const store = await newStore()
    await (await opened(store, pounds)).tl.close()
    await (await opened(store, pounds.extend({ by: z.string().optional() }))).tl.close()
    // The release before can still be opened.
    await (await opened(store, pounds)).tl.close()
    const other = pounds.extend({ by: z.number().optional() })
    await expect(opened(store, other)).rejects.toThrow('"by" was string and is number')
  })
}

test('schemas without a JSON Schema are left out', async () => {
  const log = newLog()
  await (await opened(log, z.object({ at: z.date() }))).tl.close()
  await opened(log, pounds)
})

test('each application keeps its own schemas', async () => {
  const log = newLog()
  const app = (name: string, schema: z.ZodType) =>
    defineApp({ name, domain: till(schema), opens: [] })
  const apps = [app('one', pounds), app('two', pence)]
  await (await open({ store: log, apps })).close()
  await expect(open({ store: log, apps: [app('two', pounds)] })).rejects.toThrow('"two"')
})

test('of two servers that open at once with different schemas, the later one is refused', async () => {
  const log = newLog()
  const done = await Promise.allSettled([opened(log, pounds), opened(log, pence)])
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const [refused] = done.filter((each) => each.status === 'rejected')
  expect(refused?.reason).toMatchObject({ code: 'schema_changed' })
})

test.skipIf(noPostgres)('the same of two servers over Postgres', async () => {
  const store = await server.newDatabase()
  const done = await Promise.allSettled([opened(store, pounds), opened(store, pence)])
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('an open reads once, and writes only what is new', async () => {
  const counts = { read: 0, replace: 0 }
  const log = counting(newLog(), counts)
  await (await opened(log, pounds)).tl.close()
  expect(counts).toEqual({ read: 1, replace: 1 })
  await (await opened(log, pounds)).tl.close()
  expect(counts).toEqual({ read: 2, replace: 1 })
})

test('a store that cannot be written opens, and says so', async () => {
  const full = new LogError('storage_full', 'Cannot write: the disk is full')
  const log = withNotes(newLog(), (notes) => ({
    read: (name) => notes.read(name),
    replace: () => Promise.reject(full),
  }))
  const { faults } = await opened(log, pounds)
  expect(faults).toEqual([full])
})

test('a process that always comes too late gives up', async () => {
  const log = withNotes(newLog(), (notes) => ({
    read: (name) => notes.read(name),
    replace: async () => false,
  }))
  await expect(opened(log, pounds)).rejects.toMatchObject({ code: 'schema_changed' })
})

test('a store of a release that kept no schemas opens, and keeps them', async () => {
  const path = freshPath()
  await (await opened(`sqlite:${path}`, pounds)).tl.close()
  const database = new DatabaseSync(path)
  database.exec("DELETE FROM meta WHERE key LIKE 'note:%'")
  database.close()
  await (await opened(`sqlite:${path}`, pence)).tl.close()
  await expect(opened(`sqlite:${path}`, pounds)).rejects.toMatchObject({ code: 'schema_changed' })
})

function counting(log: MemoryLog, counts: { read: number; replace: number }): EventLog {
  return withNotes(log, (notes) => ({
    read(name) {
      counts.read++
      return notes.read(name)
    },
    replace(name, change) {
      counts.replace++
      return notes.replace(name, change)
    },
  }))
}

function withNotes(log: MemoryLog, change: (notes: Notes) => Notes): EventLog {
  const notes = change(log.notes)
  return new Proxy(log, {
    get(target, name) {
      if (name === 'notes') return notes
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
