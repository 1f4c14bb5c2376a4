import { afterEach, expect, test, vi } from 'vitest'
import type { LogRecord } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import type { PageState } from './index.ts'
import { FoldedView, LatestRecords, RECORDS_KEPT_MAX, ThreadStore } from './index.ts'
import { hello, pushed, record } from './pushed-streams.fixture.ts'

const stops = new Set<() => void>()

afterEach(() => {
  for (const stop of stops) stop()
  stops.clear()
})

function saying(): FoldedView<string> {
  return new FoldedView({
    initial: '',
    fold: (view: string, { data }: LogRecord) => `${view}${JSON.stringify(data)}`,
    restore: (state: Json) => `from ${JSON.stringify(state)}:`,
  })
}

function listen(store: ThreadStore<unknown>, listener: () => void = () => undefined): () => void {
  const stop = store.subscribe(listener)
  stops.add(stop)
  return stop
}

test('a store folds the records and reports its state', async () => {
  const { options, streams, push } = pushed()
  const store = new ThreadStore(saying(), options)
  const empty = { status: 'connecting', error: undefined, seq: -1, head: -1, epoch: undefined }
  expect(store.getSnapshot()).toEqual({ ...empty, view: '', carried: {} })
  listen(store)
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(5) + record(0) + record(1) + 'id: 2\n\n')
  await vi.waitFor(() => expect(store.getSnapshot().seq).toBe(2))
  expect(store.getSnapshot()).toEqual({
    status: 'live',
    error: undefined,
    seq: 2,
    head: 5,
    epoch: 'e1',
    view: '"0""1"',
    carried: {},
  })
})

test('records that arrive together are shown together, and a snapshot never changes', async () => {
  const { options, streams, push } = pushed()
  const store = new ThreadStore(new LatestRecords(), options)
  const listener = vi.fn<() => void>()
  listen(store, listener)
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(-1))
  await vi.waitFor(() => expect(store.getSnapshot().status).toBe('live'))
  listener.mockClear()
  const before = store.getSnapshot()
  for (let seq = 0; seq < 200; seq++) push(record(seq))
  await vi.waitFor(() => expect(store.getSnapshot().view).toHaveLength(200))
  expect(listener.mock.calls.length).toBeLessThan(20)
  expect(store.getSnapshot()).toBe(store.getSnapshot())
  expect(before).toMatchObject({ seq: -1, view: [] })
})

test('a lost stream is shown, keeps the view and is resumed', async () => {
  const { options, urls, push, cut } = pushed()
  const store = new ThreadStore(saying(), options)
  const seen: string[] = []
  listen(store, () => seen.push(store.getSnapshot().status))
  await vi.waitFor(() => expect(urls).toHaveLength(1))
  push(hello(0) + record(0))
  await vi.waitFor(() => expect(store.getSnapshot().seq).toBe(0))
  cut()
  await vi.waitFor(() => expect(store.getSnapshot().status).toBe('reconnecting'))
  expect(store.getSnapshot()).toMatchObject({ view: '"0"', error: { code: 'network' } })
  await vi.waitFor(() => expect(urls).toHaveLength(2))
  expect(urls[1]).toBe('/events?after=0&epoch=e1')
  push(hello(1) + record(1))
  await vi.waitFor(() => expect(store.getSnapshot().view).toBe('"0""1"'))
  expect(store.getSnapshot().error).toBeUndefined()
  expect([...new Set(seen)]).toEqual(['connecting', 'live', 'reconnecting'])
})

test('[E2] a reset replaces the view, and only records after it are folded in', async () => {
  const { options, streams, push } = pushed()
  const store = new ThreadStore(saying(), { ...options, after: 7, epoch: 'e1' })
  expect(store.getSnapshot()).toMatchObject({ seq: 7, head: 7, epoch: 'e1' })
  listen(store)
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  const reset = { reason: 'epoch', epoch: 'e2', head: 3, state: { n: 3 } }
  push(hello(3, 'e2') + `event: reset\ndata: ${JSON.stringify(reset)}\n\n` + record(4))
  await vi.waitFor(() => expect(store.getSnapshot().seq).toBe(4))
  expect(store.getSnapshot()).toMatchObject({
    status: 'live',
    head: 4,
    epoch: 'e2',
    view: 'from {"n":3}:"4"',
  })
})

test('[L4] after an erasure the view begins anew, and all records are folded in again', async () => {
  const { options, streams, push } = pushed()
  const store = new ThreadStore(saying(), { ...options, after: 1, epoch: 'e1' })
  listen(store)
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  const reset = { reason: 'erased', epoch: 'e1.erased', head: -1, state: {}, erasedAt: 7 }
  push(hello(1, 'e1.erased') + `event: reset\ndata: ${JSON.stringify(reset)}\n\n`)
  push(record(0) + record(1))
  await vi.waitFor(() => expect(store.getSnapshot().view).toBe('"0""1"'))
  expect(store.getSnapshot()).toMatchObject({ seq: 1, epoch: 'e1.erased', erasedAt: 7 })
})

test('listening twice, or again at once as StrictMode does, opens one connection', async () => {
  const { options, urls, streams, push } = pushed()
  const store = new ThreadStore(saying(), options)
  listen(store)()
  const stop = listen(store)
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(0) + record(0))
  await vi.waitFor(() => expect(store.getSnapshot().seq).toBe(0))
  stop()
  listen(store)
  push(record(1))
  await vi.waitFor(() => expect(store.getSnapshot().seq).toBe(1))
  expect(urls).toHaveLength(1)
})

test('one function may listen twice, and stop once', async () => {
  const { options, streams, push } = pushed()
  const store = new ThreadStore(saying(), options)
  const listener = vi.fn<() => void>()
  const stop = listen(store, listener)
  listen(store, listener)
  stop()
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  listener.mockClear()
  push(hello(0) + record(0))
  await vi.waitFor(() => expect(listener).toHaveBeenCalledOnce())
})

test('without listeners the connection closes, and a new listener continues from there', async () => {
  const { options, urls, streams, push } = pushed()
  const store = new ThreadStore(saying(), options)
  const stop = listen(store)
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(0) + record(0))
  await vi.waitFor(() => expect(store.getSnapshot().seq).toBe(0))
  stop()
  await vi.waitFor(() => expect(streams).toHaveLength(0))
  listen(store)
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  expect(urls[1]).toBe('/events?after=0&epoch=e1')
  push(hello(1) + record(1))
  await vi.waitFor(() => expect(store.getSnapshot().view).toBe('"0""1"'))
})

/** A page that the test hides and shows, and whose network it gives back. */
function pageOfTest() {
  const listeners = new Set<(change: 'visibility' | 'online') => void>()
  let hidden = false
  const become = (state: 'hidden' | 'shown'): void => {
    hidden = state === 'hidden'
    for (const notify of listeners) notify('visibility')
  }
  const comeOnline = (): void => {
    for (const notify of listeners) notify('online')
  }
  const page: PageState = {
    isHidden: () => hidden,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return { page, become, comeOnline, listeners }
}

test('[surfaces 2] a hidden page lets its connection go, and goes on from there when it is shown', async () => {
  const { options, urls, streams, push } = pushed()
  const { page, become } = pageOfTest()
  const store = new ThreadStore(saying(), { ...options, page })
  listen(store)
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(0) + record(0))
  await vi.waitFor(() => expect(store.getSnapshot().seq).toBe(0))
  become('hidden')
  await vi.waitFor(() => expect(streams).toHaveLength(0))
  become('shown')
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  expect(urls[1]).toBe('/events?after=0&epoch=e1')
  push(hello(1) + record(1))
  await vi.waitFor(() => expect(store.getSnapshot().view).toBe('"0""1"'))
})

test('a page that opens hidden connects when it is shown; one without a reader never does', async () => {
  const { options, urls } = pushed()
  const { page, become, listeners } = pageOfTest()
  const store = new ThreadStore(saying(), { ...options, page })
  become('hidden')
  const stop = listen(store)
  expect(urls).toHaveLength(0)
  become('shown')
  await vi.waitFor(() => expect(urls).toHaveLength(1))
  become('hidden')
  stop()
  await vi.waitFor(() => expect(listeners.size).toBe(0))
  become('shown')
  expect(urls).toHaveLength(1)
})

test('a network that is back ends the pause before the next connection', async () => {
  const { options, urls, push, cut } = pushed()
  const { page, comeOnline } = pageOfTest()
  const sleep = () => new Promise<void>(() => undefined)
  const store = new ThreadStore(saying(), { ...options, page, sleep })
  listen(store)
  await vi.waitFor(() => expect(urls).toHaveLength(1))
  push(hello(0) + record(0))
  await vi.waitFor(() => expect(store.getSnapshot().seq).toBe(0))
  comeOnline()
  cut()
  await vi.waitFor(() => expect(store.getSnapshot().status).toBe('reconnecting'))
  expect(urls).toHaveLength(1)
  comeOnline()
  await vi.waitFor(() => expect(urls).toHaveLength(2))
  push(hello(1) + record(1))
  await vi.waitFor(() => expect(store.getSnapshot().view).toBe('"0""1"'))
})

test('a connection that does not open in time is called late, and is live once it does', async () => {
  const { options, streams, push } = pushed()
  const store = new ThreadStore(saying(), { ...options, openingMaxMs: 5 })
  listen(store)
  await vi.waitFor(() => expect(store.getSnapshot().status).toBe('late'))
  expect(streams).toHaveLength(1)
  push(hello(-1))
  await vi.waitFor(() => expect(store.getSnapshot().status).toBe('live'))
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(store.getSnapshot().status).toBe('live')
})

test('a refusal is the last word', async () => {
  const body = JSON.stringify({ status: 404, detail: 'No such thread', code: 'not_found' })
  const headers = { 'content-type': 'application/problem+json' }
  const fetch = () => new Response(body, { status: 404, headers })
  const store = new ThreadStore(saying(), { url: '/events', fetch })
  listen(store)
  await vi.waitFor(() => expect(store.getSnapshot().status).toBe('refused'))
  expect(store.getSnapshot().error?.problem).toMatchObject({ status: 404, code: 'not_found' })
})

test('the error of a fold is thrown to its readers, and ends the connection', async () => {
  const { options, streams, push } = pushed()
  const failing = new FoldedView({
    initial: 0,
    fold: () => {
      throw new RangeError('cannot fold')
    },
    restore: () => 0,
  })
  const store = new ThreadStore(failing, options)
  listen(store)
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  push(hello(0) + record(0))
  await vi.waitFor(() => expect(() => store.getSnapshot()).toThrow(RangeError))
  expect(streams).toHaveLength(0)
})

test('the latest records are kept up to a bound, and a reset empties them', () => {
  const latest = new LatestRecords()
  const origin = { source: 'ui', depth: 0 } as const
  const rest = { id: '', thread: 't', ts: 0, type: 'said', origin, v: 1, prev: '', hash: '' }
  for (let seq = 0; seq < 3 * RECORDS_KEPT_MAX + 5; seq++) latest.take({ ...rest, seq, data: null })
  const view = latest.view()
  expect(view).toHaveLength(RECORDS_KEPT_MAX)
  expect(view.at(0)?.seq).toBe(2 * RECORDS_KEPT_MAX + 5)
  expect(view.at(-1)?.seq).toBe(3 * RECORDS_KEPT_MAX + 4)
  latest.reset()
  expect(latest.view()).toEqual([])
  expect(view).toHaveLength(RECORDS_KEPT_MAX)
})
