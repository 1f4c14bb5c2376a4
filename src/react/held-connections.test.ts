import { expect, test, vi } from 'vitest'
import { HELD_CONNECTIONS_MAX, HeldConnections } from './held-connections.ts'
import type { Connecting, SharedLocks } from './held-connections.ts'

/** The locks of one browser. */
function browserLocks(): SharedLocks {
  const held = new Map<string, Promise<unknown>>()
  return {
    async request(name, { ifAvailable = false }, work) {
      while (held.has(name)) {
        if (ifAvailable) return work(null)
        await held.get(name)
      }
      const working = work({})
      const done = working.catch(() => undefined).then(() => held.delete(name))
      held.set(name, done)
      return working
    },
  }
}

/** A window of the browser, which counts how it was let in. */
function openWindow(locks: SharedLocks) {
  const ending = new AbortController()
  const asked = { hold: 0, ask: 0 }
  const work: Connecting = async (how) => {
    asked[how]++
    if (how === 'ask') return 'more'
    const { promise, resolve } = Promise.withResolvers<'over'>()
    ending.signal.addEventListener('abort', () => resolve('over'))
    return promise
  }
  const using = new HeldConnections(locks, 5).use(ending.signal, work)
  return { asked, using, close: () => ending.abort() }
}

test('windows beyond the first four take turns, and one that closes gives its place to another', async () => {
  const locks = browserLocks()
  const windows = Array.from({ length: 6 }, () => openWindow(locks))
  await vi.waitFor(() => {
    for (const { asked } of windows.slice(HELD_CONNECTIONS_MAX))
      expect(asked.ask).toBeGreaterThan(2)
  })
  expect(windows.map(({ asked }) => asked.hold)).toEqual([1, 1, 1, 1, 0, 0])
  windows[1]?.close()
  await vi.waitFor(() =>
    expect(windows.map(({ asked }) => asked.hold).toSorted()).toEqual([0, 1, 1, 1, 1, 1]),
  )
  for (const { close } of windows) close()
  await Promise.all(windows.map(({ using }) => using))
})

test('without locks of a browser each piece of work holds its connection', async () => {
  const work = vi.fn<Connecting>(() => Promise.resolve('over'))
  await new HeldConnections(undefined).use(new AbortController().signal, work)
  expect(work.mock.calls).toEqual([['hold']])
})

test('work that fails, or is over in its turn, is not tried again', async () => {
  const locks = browserLocks()
  const busy = Array.from({ length: HELD_CONNECTIONS_MAX }, () => openWindow(locks))
  const failing = new HeldConnections(locks, 1).use(new AbortController().signal, () =>
    Promise.reject(new Error('no')),
  )
  await expect(failing).rejects.toThrow('no')
  const work = vi.fn<Connecting>(() => Promise.resolve('over'))
  await new HeldConnections(locks, 1).use(new AbortController().signal, work)
  expect(work.mock.calls).toEqual([['ask']])
  for (const { close } of busy) close()
})

test('a window that has sent something asks at once', async () => {
  const locks = browserLocks()
  const busy = Array.from({ length: HELD_CONNECTIONS_MAX }, () => openWindow(locks))
  const ending = new AbortController()
  const work = vi.fn<Connecting>(() => Promise.resolve('more'))
  const connections = new HeldConnections(locks, 60_000)
  const using = connections.use(ending.signal, work)
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1))
  await new Promise((resolve) => setTimeout(resolve, 5))
  connections.askNow()
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2))
  ending.abort()
  await using
  for (const { close } of busy) close()
})
