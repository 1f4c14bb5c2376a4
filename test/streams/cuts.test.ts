import { CallerView } from '../../src/activity/index.ts'
import { subscribe } from 'throughline/client'
import type { CallerUpdate, ThreadUpdate } from 'throughline/client'
import { expect, test, vi } from 'vitest'
import { recordView } from '../../apps/broker/case/index.ts'
import { chance, newSeed } from '../chance.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { PlainReader } from './plain-reader.fixture.ts'
import type { Fault, Proxy } from './proxy.fixture.ts'
import { serveCase, serveOffice, through } from './served-threads.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

vi.setConfig({ testTimeout: timesInTier({ quick: 60_000, full: 400_000 }) })

const RECORDS = timesInTier({ quick: 400, full: 5_000 })
const CUTS = timesInTier({ quick: 40, full: 500 })
const READERS = 5
const CUTS_EACH = CUTS / READERS
const seed = newSeed()

/** A reader's records, position by position: the JSON of its view, or nothing if it is hidden. */
type Seen = [seq: number, shown: string | undefined][]

/** Cuts a reader's connections at random places, until it has been cut often enough. */
function cutter(reader: number, bytesInAll: number): () => Fault {
  const random = chance(seed + reader)
  let left = CUTS_EACH
  // A third of the bytes are spread over the cuts, so that the last ones still fall into the flow.
  const bytesMax = (2 / 3) * (bytesInAll / CUTS_EACH)
  return () => {
    if (left-- <= 0) return { kind: 'none' }
    const afterBytes = 1 + Math.floor(random() * bytesMax)
    return { kind: random() < 0.5 ? 'cut' : 'reset', afterBytes }
  }
}

const quickly = { sleep: (ms: number) => new Promise<void>((go) => setTimeout(go, ms / 100)) }

/** The records of each reader, and the number of cuts. */
interface Read {
  readonly all: readonly Seen[]
  readonly cuts: number
}

async function withReaders(
  served: { readonly origin: string; readonly path: string; readonly bytes: number },
  read: (events: string) => Promise<Seen>,
): Promise<Read> {
  const proxies: Proxy[] = []
  for (let reader = 0; reader < READERS; reader++)
    proxies.push(await through(served.origin, cutter(reader, served.bytes)))
  const all = await Promise.all(proxies.map((proxy) => read(`${proxy.url}${served.path}`)))
  const cuts = proxies.reduce((sum, { done }) => sum + done.cut + done.reset, 0)
  return { all, cuts }
}

/** Compared by position first: a whole list that differs is too long to read. */
function compare(all: readonly Seen[], expected: Seen) {
  let missed = 0
  let doubled = 0
  let disordered = 0
  for (const seen of all) {
    const positions = seen.map(([seq]) => seq)
    missed += expected.length - new Set(positions).size
    doubled += positions.length - new Set(positions).size
    disordered += positions.filter((seq, at) => at > 0 && seq < (positions[at - 1] ?? 0)).length
  }
  return { missed, doubled, disordered }
}

const CLEAN = { missed: 0, doubled: 0, disordered: 0 }

/** Checks that every reader got all its records, in spite of the cuts, and reports it. */
function whole({ all, cuts }: Read, expected: Seen): string {
  const found = compare(all, expected)
  expect(found).toEqual(CLEAN)
  for (const seen of all) expect(seen).toEqual(expected)
  expect(cuts).toBeGreaterThanOrEqual(CUTS)
  const { missed, doubled, disordered } = found
  return `${missed} missed, ${doubled} doubled, ${disordered} out of order of ${RECORDS} events over ${cuts} disconnects`
}

async function expectedOfCustomer(
  log: Parameters<typeof recordsOf>[0],
  thread: string,
): Promise<Seen> {
  return (await recordsOf(log, thread)).map((record) => {
    const shown = recordView(record, 'customer')
    return [record.seq, shown && JSON.stringify(shown)]
  })
}

test('[E1] [D089] a client that is cut off at random gets every record once and in order', async ({
  annotate,
}) => {
  const { log, busy, origin, path, token } = await serveCase()
  const flowing = busy.flow(RECORDS)
  const headers = () => ({ authorization: `Bearer ${token}` })
  const read = await withReaders({ origin, path, bytes: RECORDS * 300 }, async (url) => {
    const seen: Seen = []
    for await (const update of subscribe({ url, headers, ...quickly })) {
      const last = take(update, seen)
      if (last === RECORDS - 1) break
    }
    return seen
  })
  await flowing
  const expected = await expectedOfCustomer(log, busy.thread)
  await annotate(`${whole(read, expected)}, through subscribe`, 'promise')
})

function take(update: ThreadUpdate, seen: Seen): number | undefined {
  expect(update.type === 'reset' || (update.type === 'status' && update.status === 'refused')).toBe(
    false,
  )
  if (update.type === 'record') seen.push([update.record.seq, JSON.stringify(update.record)])
  if (update.type === 'cursor') seen.push([update.seq, undefined])
  return seen.at(-1)?.[0]
}

test('[E1] a reader that has nothing but its last event id gets the same', async ({ annotate }) => {
  const { log, busy, origin, path, token } = await serveCase()
  const flowing = busy.flow(RECORDS)
  const read = await withReaders({ origin, path, bytes: RECORDS * 300 }, async (url) => {
    const seen: Seen = []
    const named: string[] = []
    const reader = new PlainReader({
      url,
      token,
      retryMs: 1,
      take({ event, data, lastEventId }) {
        if (event !== 'message') return void named.push(event)
        seen.push([Number(lastEventId), data])
        if (Number(lastEventId) === RECORDS - 1) reader.close()
      },
    })
    expect(await reader.read()).toBe('closed')
    expect(named).not.toContain('reset')
    return seen
  })
  await flowing
  const expected = await expectedOfCustomer(log, busy.thread)
  await annotate(`${whole(read, expected)}, by Last-Event-ID alone`, 'promise')
})

test('[E1] the events that one record shows a caller of agents are never split', async ({
  annotate,
}) => {
  const { log, busy, origin, path } = await serveOffice()
  const flowing = busy.flow(RECORDS)
  const read = await withReaders({ origin, path, bytes: RECORDS * 400 }, async (url) => {
    const seen: Seen = []
    for await (const update of subscribe({ url, as: 'caller', ...quickly })) {
      const last = takeAsCaller(update, seen)
      if (last === RECORDS - 1) break
    }
    return seen
  })
  await flowing
  const view = new CallerView()
  const expected = (await recordsOf(log, busy.thread)).map((record): Seen[number] => {
    const events = view.take(record)
    return [record.seq, events.length === 0 ? undefined : JSON.stringify(events)]
  })
  await annotate(`${whole(read, expected)}, through subscribe as a caller`, 'promise')
})

function takeAsCaller(update: CallerUpdate, seen: Seen): number | undefined {
  expect(update.type).not.toBe('reset')
  if (update.type === 'events') seen.push([update.seq, JSON.stringify(update.events)])
  if (update.type === 'cursor') seen.push([update.seq, undefined])
  return seen.at(-1)?.[0]
}
