import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LatestRecords, ThreadStore } from './index.ts'

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
