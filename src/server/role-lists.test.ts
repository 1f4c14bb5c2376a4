import { expect, test, vi } from 'vitest'
import { THREADS_LOOKED_AT_MAX, defineApp } from '../application/index.ts'
import { claims, file, served } from './role-lists.fixture.ts'
import type { Claim } from './role-lists.fixture.ts'

const ann = { role: 'holder', actor: 'ann' }
const names = (body: Record<string, unknown>) =>
  (body['threads'] as { readonly thread: string }[]).map(({ thread }) => thread)

test('[X7] a role lists the threads that it may enter, and no others', async () => {
  const { ask, throughline } = await served()
  for (const thread of ['ann-1', 'bob-1', 'ann-2']) await file(throughline, thread)
  const listed = await ask('/api/threads', ann)
  expect(listed.status).toBe(200)
  expect(listed.body['threads']).toMatchObject([
    { thread: 'ann-2', values: { status: 'open', name: 'ann-2' } },
    { thread: 'ann-1' },
  ])
  expect(listed.body).not.toHaveProperty('next')
  expect((await ask('/api/threads', { role: 'holder', actor: 'eve' })).body['threads']).toEqual([])
  expect((await ask('/api/threads')).status).toBe(401)
  expect(names((await ask('/api/threads', { role: 'operator' })).body)).toHaveLength(3)
  await throughline.log.append('stray', [{ type: 'unknown', data: {} }])
  expect(names((await ask('/api/threads', { role: 'clerk' })).body)).not.toContain('stray')
})

test('[X7] a role sees the values that it lists, and finds no thread by another', async () => {
  const { ask, throughline } = await served()
  await file(throughline, 'ann-1', 'Ann Archer')
  const clerk = { role: 'clerk' }
  expect((await ask('/api/threads', clerk)).body['threads']).toMatchObject([
    { thread: 'ann-1', values: { status: 'open' } },
  ])
  expect(JSON.stringify((await ask('/api/threads', clerk)).body)).not.toContain('Archer')
  expect(names((await ask('/api/threads?status=open', clerk)).body)).toEqual(['ann-1'])
  expect(names((await ask('/api/threads?name=Ann+Archer', clerk)).body)).toEqual([])
  const guest = await ask('/api/threads', { role: 'guest' })
  expect(names(guest.body)).toEqual(['ann-1'])
  expect((guest.body['threads'] as object[])[0]).not.toHaveProperty('values')
})

test('pages lose no thread, and their cursors tell nothing of threads between', async () => {
  const { ask, throughline } = await served()
  for (let n = 0; n < 20; n++) await file(throughline, `${n % 2 ? 'ann' : 'bob'}-${n}`)
  const seen: string[] = []
  let after = ''
  do {
    const { body } = await ask(`/api/threads?limit=3${after}`, ann)
    seen.push(...names(body))
    const next = body['next']
    expect(next === undefined || /^[0-9a-f]{28}$/.test(String(next))).toBe(true)
    after = next === undefined ? '' : `&after=${String(next)}`
  } while (after !== '')
  expect(seen).toEqual([19, 17, 15, 13, 11, 9, 7, 5, 3, 1].map((n) => `ann-${n}`))
})

test('a cursor that was made up is refused', async () => {
  const { ask, throughline } = await served()
  await file(throughline, 'ann-1')
  for (const after of ['', '1', '0-', 'f'.repeat(28), 'é'.repeat(28), "' OR 1=1 --"]) {
    const { status, body } = await ask(`/api/threads?after=${encodeURIComponent(after)}`, ann)
    expect([status, body['code']], after).toEqual([400, 'invalid_query'])
  }
})

test('a list looks at a bounded number of threads, and goes on from there', async () => {
  const { ask, throughline } = await served()
  await file(throughline, 'ann-first')
  for (let n = 0; n < THREADS_LOOKED_AT_MAX; n++) await file(throughline, `bob-${n}`)
  const { body } = await ask('/api/threads', ann)
  expect(body['threads']).toEqual([])
  const rest = await ask(`/api/threads?after=${String(body['next'])}`, ann)
  expect(names(rest.body)).toEqual(['ann-first'])
})

test('[X7] a role does not learn how many threads have a value that it may not see', async () => {
  const { ask, throughline } = await served()
  for (let n = 0; n <= THREADS_LOOKED_AT_MAX; n++) await file(throughline, `t-${n}`, 'Ann')
  for (const name of ['Ann', 'Bob']) {
    const { body } = await ask(`/api/threads?name=${name}`, { role: 'clerk' })
    expect(body).toEqual({ threads: [], tag: expect.any(String) })
  }
})

test('a list that is known is answered once another thread is on it', async () => {
  const { ask, throughline } = await served()
  await file(throughline, 'ann-1')
  const { tag } = (await ask('/api/threads', ann)).body
  let answered = false
  const held = ask(`/api/threads?since=${String(tag)}`, ann).finally(() => (answered = true))
  await file(throughline, 'bob-1')
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(answered).toBe(false)
  await file(throughline, 'ann-2')
  await vi.waitFor(() => expect(answered).toBe(true), 3_000)
  expect(names((await held).body)).toEqual(['ann-2', 'ann-1'])
})

test('an application whose role lists an unknown name is refused', () => {
  const roles = { clerk: { read: 'all', lists: ['state'] } } as const
  expect(() => defineApp<Claim>({ name: 'claims', domain: claims, roles })).toThrow(
    'its role "clerk" may list threads by "state", which is none of nothing',
  )
})
