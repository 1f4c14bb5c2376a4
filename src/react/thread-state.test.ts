import { onTestFinished, expect, test, vi } from 'vitest'
import { hello, record, reset, served, stream } from '../client/scripted-stream.fixture.ts'
import { LatestRecords, ThreadStore } from './index.ts'
import type { ThreadStoreOptions } from './index.ts'

const named = (event: string, data: object): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

function following(options: ThreadStoreOptions) {
  const store = new ThreadStore<unknown, { readonly n: number }>(new LatestRecords(), options)
  onTestFinished(store.subscribe(() => undefined))
  return store.getSnapshot
}

test('a store that follows the state shows it beside the view, with what the application adds', async () => {
  const delta = [{ op: 'replace', path: '/n', value: 1 }]
  const { options, requests } = served(
    () => stream([hello(0), record(0), named('state', { seq: 0, state: { n: 0 } })]),
    () =>
      stream(
        [
          hello(1) + named('state', { seq: 0, state: { n: 0 } }) + record(1),
          named('state', { seq: 1, base: 0, delta }) + named('ticket', { ticket: 't1' }),
        ],
        'open',
      ),
  )
  const now = following({ ...options, state: true })
  expect(now()).toMatchObject({ state: undefined, carried: {} })
  await vi.waitFor(() => expect(now().state).toEqual({ n: 1 }))
  expect(now()).toMatchObject({ seq: 1, carried: { ticket: { ticket: 't1' } } })
  expect(requests[0]?.url).toMatch(/\?state=1&after=-1$/)
})

test('[E2] after a reset a store shows the state that the thread has now', async () => {
  const restarted = () => stream([hello(3, 'e2') + reset(3, 'e2')], 'open')
  const { options } = served(
    () => stream([hello(0) + record(0) + named('state', { seq: 0, state: { n: 0 } })]),
    restarted,
  )
  const now = following({ ...options, state: true })
  await vi.waitFor(() => expect(now().state).toEqual({ at: 3 }))
  const without = following({ ...served(restarted).options, after: 0, epoch: 'e1' })
  await vi.waitFor(() => expect(without().seq).toBe(3))
  expect(without().state).toBeUndefined()
})
