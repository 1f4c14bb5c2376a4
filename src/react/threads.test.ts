import { expect, test, vi } from 'vitest'
import { file, served } from '../server/role-lists.fixture.ts'
import type { Fetch } from '../client/index.ts'
import { ThreadsStore } from './threads-store.ts'

test('a page shows the threads that its person may enter, and each change of the list', async () => {
  const { http, throughline } = await served()
  const asked: string[] = []
  const fetch: Fetch = async (url, init) => {
    asked.push(String(url))
    return http.fetch(new Request(`http://any.example${String(url)}`, init))
  }
  const headers = () => ({ caller: JSON.stringify({ role: 'holder', actor: 'ann' }) })
  const where = { status: ['open', 'new'], name: 'Ann & co=1' }
  const store = new ThreadsStore({ app: 'claims', where, limit: 5, fetch, headers })
  expect(store.getSnapshot()).toEqual({ status: 'asking', threads: [], hasMore: false })
  const shown: string[][] = []
  const stop = store.subscribe(() => {
    shown.push(store.getSnapshot().threads.map(({ thread }) => thread))
  })
  await vi.waitFor(() => expect(shown).toEqual([[]]))
  await file(throughline, 'bob-1', 'Ann & co=1')
  await file(throughline, 'ann-1', 'Ann & co=1')
  await file(throughline, 'ann-2', 'Ann')
  await vi.waitFor(() => expect(shown).toEqual([[], ['ann-1']]), 5_000)
  expect(store.getSnapshot()).toMatchObject({ status: 'live', hasMore: false })
  stop()
  const [first] = asked
  expect(first).toBe('/api/threads?app=claims&limit=5&status=open&status=new&name=Ann+%26+co%3D1')
  // One request for each list, and one that waits for the next.
  await vi.waitFor(() => expect(asked.length).toBeLessThanOrEqual(3))
})

test('a list that the server refuses for good asks no more', async () => {
  const { http } = await served()
  const fetch = vi.fn<Fetch>(async (url) =>
    http.fetch(new Request(`http://any.example${String(url)}`)),
  )
  const store = new ThreadsStore({ where: { unknown: 1 }, fetch })
  const stop = store.subscribe(() => {})
  await vi.waitFor(() => expect(store.getSnapshot().status).toBe('failed'))
  stop()
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('a page orders its list and filters it by ranges', async () => {
  const { http, throughline } = await served()
  const asked: string[] = []
  const fetch: Fetch = async (url, init) => {
    asked.push(String(url))
    return http.fetch(new Request(`http://any.example${String(url)}`, init))
  }
  for (const name of ['10', 'b', '9']) await file(throughline, `ann-${name}`, name)
  const headers = () => ({ caller: JSON.stringify({ role: 'holder', actor: 'ann' }) })
  const where = { name: { gte: '10', lt: 'a' } }
  const store = new ThreadsStore({ where, orderBy: { name: 'desc' }, fetch, headers })
  const stop = store.subscribe(() => {})
  await vi.waitFor(() => expect(store.getSnapshot().status).toBe('live'))
  stop()
  expect(store.getSnapshot().threads.map(({ thread }) => thread)).toEqual(['ann-9', 'ann-10'])
  expect(asked[0]).toBe('/api/threads?orderBy=name.desc&name.gte=%2210%22&name.lt=%22a%22')
})
