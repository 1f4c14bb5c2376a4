import { afterEach, expect, test, vi } from 'vitest'
import type { PageState, ThreadStoreOptions } from './index.ts'
import { LatestRecords, SHARED_RECORDS_MAX, ThreadStore } from './index.ts'
import { hello, pushed, record } from './pushed-streams.fixture.ts'
import { SharedStreams } from './shared-streams.ts'

const stops = new Set<() => void>()

afterEach(() => {
  for (const stop of stops) stop()
  stops.clear()
})

/** A page whose stores share their streams, over a server that says what the test pushes. */
function page() {
  const { options, ...server } = pushed()
  const streams = new SharedStreams()
  const open = (more: Partial<ThreadStoreOptions> = {}) => {
    const given = { ...options, ...more }
    const store = new ThreadStore(new LatestRecords(), given, streams.follow)
    const stop = store.subscribe(() => undefined)
    stops.add(stop)
    const seqs = () => store.getSnapshot().view.map(({ seq }) => seq)
    return { store, stop, seqs }
  }
  return { ...server, open }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 40))
const sending = (token: () => string) => ({ headers: () => ({ authorization: token() }) })

test('stores that ask for the same share one stream, which ends with the last of them', async () => {
  const { urls, streams, push, open } = page()
  const [first, second] = [open(), open()]
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(1) + record(0) + record(1))
  await vi.waitFor(() =>
    expect([first.seqs(), second.seqs()]).toEqual([
      [0, 1],
      [0, 1],
    ]),
  )
  first.stop()
  await settled()
  push(record(2))
  await vi.waitFor(() => expect(second.seqs()).toEqual([0, 1, 2]))
  second.stop()
  await vi.waitFor(() => expect(streams).toHaveLength(0))
  expect(urls).toHaveLength(1)
})

test('a component that is drawn again at once, as in StrictMode, keeps the stream', async () => {
  const { urls, streams, open } = page()
  const { store, stop } = open()
  stop()
  stops.add(store.subscribe(() => undefined))
  open()
  await settled()
  expect(streams).toHaveLength(1)
  expect(urls).toHaveLength(1)
})

test('a late store gets what the stream has brought: records, hidden ones too, state and frames', async () => {
  const { urls, streams, push, open } = page()
  const first = open({ state: true })
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  const state = `event: state\ndata: ${JSON.stringify({ seq: 1, state: { a: 1 } })}\n\n`
  push(`${hello(2)}${state}event: cards\ndata: {"n":1}\n\n${record(0)}${record(1)}id: 2\n\n`)
  await vi.waitFor(() => expect(first.store.getSnapshot().seq).toBe(2))
  const late = open({ state: true })
  const after = open({ state: true, after: 0, epoch: 'e1' })
  await settled()
  expect(late.store.getSnapshot()).toEqual(first.store.getSnapshot())
  expect(late.store.getSnapshot()).toMatchObject({ status: 'live', head: 2, state: { a: 1 } })
  expect(after.seqs()).toEqual([1])
  push(record(3))
  await vi.waitFor(() => expect(after.seqs()).toEqual([1, 3]))
  expect(late.seqs()).toEqual([0, 1, 3])
  expect(urls).toHaveLength(1)
})

test('a late store opens a stream of its own after more records than a stream keeps', async () => {
  const { urls, streams, push, open } = page()
  const first = open()
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  const records = Array.from({ length: SHARED_RECORDS_MAX + 1 }, (_, seq) => record(seq))
  push(hello(SHARED_RECORDS_MAX) + records.join(''))
  await vi.waitFor(() => expect(first.store.getSnapshot().seq).toBe(SHARED_RECORDS_MAX))
  open()
  await vi.waitFor(() => expect(urls).toHaveLength(2))
  expect(urls[1]).toBe('/events?after=-1')
})

test.each<[string, Partial<ThreadStoreOptions>]>([
  ['address', { url: '/other' }],
  ['token', sending(() => 'other')],
  ['view', { state: true }],
  ['fetch', { fetch: async () => Response.error() }],
  ['log', { after: 0, epoch: 'e0' }],
])('a store with another %s has a stream of its own', async (_what, other) => {
  const { streams, push, open } = page()
  const first = open()
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(0) + record(0))
  await vi.waitFor(() => expect(first.seqs()).toEqual([0]))
  const second = open(other)
  await settled()
  expect(second.seqs()).toEqual([])
})

test('a reset reaches all stores, and a late one reads the thread from its start', async () => {
  const { urls, streams, push, open } = page()
  const from = { after: 4, epoch: 'e0' }
  const both = [open(from), open(from)]
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  const reset = { reason: 'epoch', epoch: 'e1', head: 1, state: {} }
  push(`${hello(1)}event: reset\ndata: ${JSON.stringify(reset)}\n\n${record(2)}`)
  await vi.waitFor(() => expect(both.map(({ seqs }) => seqs())).toEqual([[2], [2]]))
  open()
  await vi.waitFor(() => expect(urls).toEqual(['/events?after=4&epoch=e0', '/events?after=-1']))
})

test('after a cut, stores whose tokens differ by then part, each from its place', async () => {
  const { urls, streams, push, cut, open } = page()
  let token = 'one'
  const first = open(sending(() => token))
  const second = open(sending(() => 'one'))
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(0) + record(0))
  await vi.waitFor(() => expect(second.seqs()).toEqual([0]))
  token = 'two'
  cut()
  await vi.waitFor(() => expect(streams).toHaveLength(2))
  push(hello(1) + record(1))
  await vi.waitFor(() =>
    expect([first.seqs(), second.seqs()]).toEqual([
      [0, 1],
      [0, 1],
    ]),
  )
  expect(urls.slice(1)).toEqual(['/events?after=0&epoch=e1', '/events?after=0&epoch=e1'])
})

test('records for an earlier token are not given to a late store', async () => {
  const { urls, streams, push, cut, open } = page()
  let token = 'one'
  const headers = sending(() => token)
  open(headers)
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(0) + record(0))
  token = 'two'
  cut()
  await vi.waitFor(() => expect(urls).toHaveLength(2))
  push(hello(0))
  const late = open(headers)
  await vi.waitFor(() => expect(urls).toHaveLength(3))
  expect(late.seqs()).toEqual([])
})

test('headers that throw fail their own store alone', async () => {
  const { streams, push, cut, open } = page()
  let isSignedIn = true
  const headers = () => {
    if (!isSignedIn) throw new Error('signed out')
    return {}
  }
  const [first, second] = [open({ headers }), open()]
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(0) + record(0))
  await vi.waitFor(() => expect(first.seqs()).toEqual([0]))
  isSignedIn = false
  cut()
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(1) + record(1))
  await vi.waitFor(() => expect(second.seqs()).toEqual([0, 1]))
  expect(() => first.seqs()).toThrow('signed out')
})

test('stores share one stream again when the page is shown, or back on its network', async () => {
  const listeners = new Set<Parameters<PageState['subscribe']>[0]>()
  let isHidden = false
  const state: PageState = {
    isHidden: () => isHidden,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const change = (what: 'visibility' | 'online') => {
    for (const listener of listeners) listener(what)
  }
  const { urls, streams, push, cut, open } = page()
  const options = { page: state, random: () => 1, sleep: () => new Promise<void>(() => undefined) }
  const both = [open(options), open(options)]
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(0) + record(0))
  await vi.waitFor(() => expect(both[1]?.seqs()).toEqual([0]))
  isHidden = true
  change('visibility')
  await vi.waitFor(() => expect(streams).toHaveLength(0))
  isHidden = false
  change('visibility')
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(1) + record(1))
  await vi.waitFor(() =>
    expect(both.map(({ seqs }) => seqs())).toEqual([
      [0, 1],
      [0, 1],
    ]),
  )
  cut()
  await vi.waitFor(() => expect(both[1]?.store.getSnapshot().status).toBe('reconnecting'))
  change('online')
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  expect(urls).toHaveLength(3)
})

test('a fold that throws fails its own store alone', async () => {
  const { options, streams, push } = pushed()
  const { follow } = new SharedStreams()
  const failing = {
    take: () => {
      throw new Error('bad fold')
    },
    reset: () => undefined,
    view: () => 0,
  }
  const bad = new ThreadStore(failing, options, follow)
  const good = new ThreadStore(new LatestRecords(), options, follow)
  for (const store of [bad, good]) stops.add(store.subscribe(() => undefined))
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(0) + record(0))
  await vi.waitFor(() => expect(good.getSnapshot().view).toHaveLength(1))
  expect(() => bad.getSnapshot()).toThrow('bad fold')
  expect(streams).toHaveLength(1)
})

test.each(['first', 'second', 'late'])(
  'stores of one thread share a stream, where the %s of them follows the state',
  async (which) => {
    const { urls, streams, push, open } = page()
    const early = which === 'first' ? open({ state: true }) : open()
    const second = which === 'second' ? open({ state: true }) : open()
    await vi.waitFor(() => expect(streams).toHaveLength(1))
    const state = `event: state\ndata: ${JSON.stringify({ seq: 1, state: { a: 1 } })}\n\n`
    const brings = `${hello(1)}${state}${record(0)}${record(1)}`
    push(which === 'late' ? hello(1) + record(0) + record(1) : brings)
    await vi.waitFor(() =>
      expect([early.seqs(), second.seqs()]).toEqual([
        [0, 1],
        [0, 1],
      ]),
    )
    const late = open({ state: true })
    if (which === 'late') {
      await vi.waitFor(() => expect(streams).toHaveLength(2))
      push(brings)
    }
    await vi.waitFor(() => expect(late.store.getSnapshot().state).toEqual({ a: 1 }))
    await vi.waitFor(() => expect(streams).toHaveLength(1))
    push(record(2))
    await vi.waitFor(() =>
      expect([early, second, late].map(({ seqs }) => seqs())).toEqual(
        Array.from({ length: 3 }, () => [0, 1, 2]),
      ),
    )
    expect(urls.at(-1)).toContain('state=1')
    const without = which === 'first' ? second : early
    if (which !== 'late') expect(early.store.getSnapshot().seq).toBe(2)
    expect(without.store.getSnapshot().state).toBeUndefined()
  },
)
