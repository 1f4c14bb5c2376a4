import { expect, test, vi } from 'vitest'
import type { ThreadWait } from '../activity/index.ts'
import { WaitsStore } from './waits-store.ts'

const wait = { id: 'w', thread: 'claim 1', run: 'r', toolName: 'pay' } as ThreadWait

/** Answers each request with the next of the lists; holds the one after them. */
function served(...lists: readonly (readonly ThreadWait[] | number)[]) {
  const asked: string[] = []
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    asked.push(String(url))
    const list = lists[asked.length - 1]
    if (list === undefined) {
      const { promise, reject } = Promise.withResolvers<Response>()
      init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      return promise
    }
    if (typeof list === 'number') return Response.json({ detail: 'no' }, { status: list })
    return Response.json({ waits: list, tag: `tag ${asked.length}` })
  }
  return { asked, fetch }
}

test('an inbox shows each list that the server answers with, and asks for the next', async () => {
  const { asked, fetch } = served([wait], 503, [])
  const store = new WaitsStore({ base: '/tl/api', app: 'claims', fetch, random: () => 0 })
  const shown: (readonly [string, number])[] = []
  const stop = store.subscribe(() => {
    const { status, waits } = store.getSnapshot()
    shown.push([status, waits.length])
  })
  await vi.waitFor(() => expect(asked).toHaveLength(4))
  stop()
  expect(shown).toEqual([
    ['live', 1],
    ['failed', 1],
    ['live', 0],
  ])
  expect(asked.slice(0, 3)).toEqual([
    '/tl/api/waits?app=claims',
    '/tl/api/waits?app=claims&since=tag+1',
    '/tl/api/waits?app=claims&since=tag+1',
  ])
})

test('an inbox that the server refuses for good asks no more', async () => {
  const { asked, fetch } = served(403)
  const store = new WaitsStore({ fetch })
  const stop = store.subscribe(() => {})
  await vi.waitFor(() => expect(store.getSnapshot().status).toBe('failed'))
  stop()
  expect(asked).toHaveLength(1)
})

test('an answer names its question, under a key of its own', async () => {
  const sent: [string, unknown, boolean][] = []
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    sent.push([String(url), JSON.parse(String(init?.body)), headers.has('idempotency-key')])
    return Response.json({ runId: 'r2' }, { status: 202 })
  }
  const store = new WaitsStore({ fetch })
  expect(await store.answer(wait, { approved: true })).toEqual({ status: 'accepted', run: 'r2' })
  const values = { w: { approved: true } }
  expect(sent).toEqual([['/api/threads/claim%201/runs/r/resume', { values }, true]])
})
