import type { Fetch } from '../client/index.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AgentThreadStore, LatestRecords, Sender, ThreadStore } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const STREAM = [
  'event: hello\ndata: {"epoch":"e1","head":0}\n\n',
  'id: 0\ndata: {"seq":0,"type":"said","data":"hello"}\n\n',
]

test('a refused thread is looked for again, ever later, and stays refused until it is there', async () => {
  const asked: number[] = []
  const begun = new Date().getTime()
  let answer = () => new Response('{}', { status: 404 })
  const store = new ThreadStore(new LatestRecords(), {
    url: '/events',
    whenRefused: 'look_again',
    fetch: () => {
      asked.push(new Date().getTime() - begun)
      return answer()
    },
  })
  const seen = new Set<string>()
  const stop = store.subscribe(() => seen.add(store.getSnapshot().status))
  await vi.advanceTimersByTimeAsync(80_000)
  expect(asked).toEqual([0, 3_000, 9_000, 21_000, 45_000, 75_000])
  expect([...seen]).toEqual(['refused'])
  const headers = { 'content-type': 'text/event-stream' }
  answer = () => new Response(new Blob(STREAM).stream(), { headers })
  store.lookAgain()
  await vi.waitFor(() => expect(store.getSnapshot().view).toHaveLength(1))
  stop()
  await vi.advanceTimersByTimeAsync(100)
  const before = asked.length
  await vi.advanceTimersByTimeAsync(100_000)
  expect(asked).toHaveLength(before)
})

test.each([
  ['a sent event', (fetch: Fetch) => new Sender('/threads/t/events', { fetch }).send({})],
  [
    'a prompt',
    (fetch: Fetch) => new AgentThreadStore({ url: '/threads/t', fetch }).ask('clerk', 'hello'),
  ],
])('%s that begins a thread shows at once in the other stores of the page', async (_name, send) => {
  let hasBegun = false
  const fetch: Fetch = (_url, { method }) => {
    if (method === 'POST') {
      hasBegun = true
      return new Response('{"runId":"r1"}')
    }
    if (!hasBegun) return new Response('{}', { status: 404 })
    const headers = { 'content-type': 'text/event-stream' }
    return new Response(new Blob(STREAM).stream(), { headers })
  }
  const storeOf = (thread: string) => {
    const options = { url: `/threads/${thread}/events`, whenRefused: 'look_again', fetch } as const
    const store = new ThreadStore(new LatestRecords(), options)
    return { store, stop: store.subscribe(() => undefined) }
  }
  const [same, other] = [storeOf('t'), storeOf('t2')]
  await vi.advanceTimersByTimeAsync(22_000)
  expect([same, other].map(({ store }) => store.getSnapshot().status)).toEqual([
    'refused',
    'refused',
  ])
  await send(fetch)
  await vi.waitFor(() => expect(same.store.getSnapshot().view).toHaveLength(1))
  expect(other.store.getSnapshot().view).toHaveLength(0)
  same.stop()
  other.stop()
})
