import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, tool } from '../agents/index.ts'
import { defineDomain } from '../domain/index.ts'
import type { SnapshotKey, Snapshots, StoredSnapshot } from '../log/index.ts'
import { scriptedModel } from '../models/index.ts'
import { sha256, uuidv7 } from '../storage/index.ts'
import { SNAPSHOT_RECORDS } from '../thread/index.ts'
import { Throughline, defineApp } from './index.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

/** Written without `readonly`, as programs write it: the compiler stops none of the writes below. */
interface Basket {
  limit?: number
  items: { name: string }[]
  told: number
}

/** Writes into a state, as every careless function in this test does. */
function writeInto(state: Basket): void {
  state.items[0] = { name: 'forged' }
  delete state.limit
}

const { event, domain } = defineDomain<Basket>()
const person = { by: [{ source: 'ui' as const }] }
const baskets = domain({
  name: 'baskets',
  initial: { limit: 3, items: [], told: 0 },
  events: {
    put: event({
      schema: z.object({ name: z.string() }),
      ...person,
      guard: ({ items, limit = Infinity }) =>
        items.length < limit ? undefined : { refused: 'precondition', detail: 'It is full' },
      reduce: (state, { name }) => ({ ...state, items: [...state.items, { name }] }),
    }),
    told: event({
      schema: z.object({}),
      by: [{ source: 'process' }],
      reduce: (state) => ({ ...state, told: state.told + 1 }),
    }),
  },
  effects: [
    {
      name: 'tell',
      due: ({ items, told }) => items.length > told && { key: `${told}`, input: {} },
    },
  ],
})
const writes = tool({
  inputSchema: z.object({}),
  execute: (_input, { state }: { state: Basket }) => {
    writeInto(state)
    return 'written'
  },
})
const agents = [
  defineAgent<Basket>({
    name: 'calls',
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? 'Done.' : { toolCalls: [{ name: 'writes', input: {} }] },
    ),
    tools: { writes },
  }),
  defineAgent<Basket>({
    name: 'instructed',
    model: scriptedModel(() => 'Done.'),
    instructions: ({ state }) => {
      writeInto(state)
      return 'Help.'
    },
  }),
]
const app = defineApp<Basket>({
  name: 'baskets',
  domain: baskets,
  domainVersion: '1',
  agents,
  effects: {
    tell: {
      run: ({ state }) => {
        writeInto(state)
        return { type: 'told', data: {} }
      },
      retry: { attempts: 1, backoffMs: 0 },
    },
  },
  index: {
    first: (state) => {
      writeInto(state)
      return state.items[0]?.name
    },
  },
  roles: {
    careless: {
      read: {
        record: (record) => Object.assign(record, { data: { name: 'forged' } }),
        state: (state) => {
          writeInto(state)
          return {}
        },
      },
    },
  },
})

class KeptInMemory implements Snapshots {
  readonly kept: StoredSnapshot[] = []
  async latest(_thread: string, { upTo }: SnapshotKey & { readonly upTo: number }) {
    return this.kept.findLast(({ seq }) => seq <= upTo)
  }
  async put(_thread: string, _key: SnapshotKey, snapshot: StoredSnapshot) {
    const others = this.kept.filter(({ seq }) => seq !== snapshot.seq)
    this.kept.splice(0, this.kept.length, ...others, snapshot)
    this.kept.sort((one, other) => one.seq - other.seq)
  }
  async forget() {
    this.kept.length = 0
  }
}

const newLog = () => memoryLog({ now: () => 1 })

async function opened({ log = newLog(), snapshots = new KeptInMemory() } = {}) {
  const faults: unknown[] = []
  const throughline = await Throughline.start<{
    readonly state: Basket
    readonly proposal: { readonly type: string; readonly data: unknown }
    readonly agent: string
  }>({
    log,
    snapshots,
    apps: [app],
    now: Date.now,
    id: uuidv7,
    sha256,
    onFault: (error) => faults.push(error),
  })
  onTestFinished(() => throughline.close())
  const put = (name: string) => throughline.propose('t', [{ type: 'put', data: { name } }])
  return { throughline, faults, put, log, snapshots }
}

const ITEMS = [{ name: 'bread' }, { name: 'milk' }]

test('[S16] views, tools, instructions, runners and indexes cannot write into the state', async ({
  annotate,
}) => {
  const { throughline, put, log, snapshots } = await opened()
  for (const { name } of ITEMS) await put(name)
  await throughline.settled()
  const view = throughline.app('baskets').view('careless')
  for (const at of [undefined, 0]) await expect(view.state('t', at)).rejects.toThrow('read only')
  const followed = await view.follow('t', 0)
  for await (const batch of log.read('t', { after: 0 }))
    batch.forEach((each) => followed.take(each))
  expect(() => followed.state).toThrow('read only')
  await throughline.turn('t', { agent: 'calls', input: 'Go' }).result
  const instructed = throughline.turn('t', { agent: 'instructed', input: 'Go' })
  await expect(instructed.result).rejects.toThrow('read only')
  await throughline.threads({ app: 'baskets' })
  const { state } = await throughline.state('t')
  expect(state).toMatchObject({ limit: 3, items: ITEMS })
  expect((await put('eggs')).answers[0]?.refusal).toBeUndefined()
  expect((await put('salt')).answers[0]?.refusal).toMatchObject({ refused: 'precondition' })
  const again = await opened({ log, snapshots })
  expect((await again.throughline.state('t')).state).toMatchObject({
    limit: 3,
    items: [...ITEMS, { name: 'eggs' }],
  })
  await annotate('0 of 5 kinds of readers wrote into the state', 'promise')
})

test('[S16] a write into the state of one thread, or of none yet, reaches no other thread', async () => {
  const { throughline, put } = await opened()
  await expect(throughline.app('baskets').view('careless').state('empty')).rejects.toThrow()
  expect((await put('bread')).snapshot.state).toMatchObject({
    limit: 3,
    items: [{ name: 'bread' }],
  })
})

test('[S16] a view cannot write into a record that others read', async () => {
  const { throughline, put, log } = await opened()
  await put('bread')
  const stored = []
  for await (const batch of log.read('t'))
    stored.push(...batch.map((each) => structuredClone(each)))
  const view = throughline.app('baskets').view('careless')
  for (const record of stored) expect(() => view.record(record)).toThrow('read only')
  expect(stored[0]?.data).toEqual({ name: 'bread' })
})

test('[S16] a kept state that differs from the records is replaced by verify', async () => {
  const { throughline, log, snapshots } = await opened()
  const note = { type: 'put', data: { name: 'bread' }, origin: { source: 'ui', depth: 0 } } as const
  await log.append(
    't',
    Array.from({ length: 2 * SNAPSHOT_RECORDS + 9 }, () => note),
  )
  await throughline.state('t', 2 * SNAPSHOT_RECORDS)
  await throughline.state('t')
  expect(snapshots.kept).toHaveLength(1)
  const [sound] = snapshots.kept
  if (!sound) throw new Error('Nothing was kept')
  const spoiled = { ...sound, body: sound.body.replace('"limit":3,', '') }
  snapshots.kept.splice(0, 1, spoiled)
  const next = await opened({ log, snapshots })
  expect((await next.throughline.state('t')).state.limit).toBeUndefined()
  expect(await next.throughline.verify('t')).toMatchObject({ ok: true })
  expect(next.faults).toContainEqual(expect.objectContaining({ code: 'fold_differs' }))
  expect((await next.throughline.state('t')).state.limit).toBe(3)
  expect(JSON.parse(snapshots.kept[0]?.body ?? '{}')).toEqual(JSON.parse(sound.body))
  next.faults.length = 0
  await next.throughline.verify('t')
  expect(next.faults).not.toContainEqual(expect.objectContaining({ code: 'fold_differs' }))
})
