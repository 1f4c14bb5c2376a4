import { expect, test } from 'vitest'
import { THREADS_LOOKED_AT_MAX } from '../application/index.ts'
import { file, served } from './role-lists.fixture.ts'

const ann = { role: 'holder', actor: 'ann' }
const names = (body: Record<string, unknown>) =>
  (body['threads'] as { readonly thread: string }[]).map(({ thread }) => thread)

async function filed() {
  const parts = await served()
  for (const thread of ['ann-1', 'bob-1', 'ann-2']) await file(parts.throughline, thread)
  const asked = async (query: string, caller: object = { role: 'operator' }) =>
    (await parts.ask(`/api/threads${query}`, caller)).body
  return { ...parts, asked }
}

test('a list over HTTP takes ranges and an order, and a count takes ranges', async () => {
  const { asked } = await filed()
  expect(names(await asked('?orderBy=name.asc'))).toEqual(['ann-1', 'ann-2', 'bob-1'])
  expect(names(await asked('?orderBy=name.desc&limit=1'))).toEqual(['bob-1'])
  expect(names(await asked('?name.gte=ann-2&name.lt=c'))).toEqual(['ann-2', 'bob-1'])
  expect(names(await asked('?name.gt="ann-1"'))).toEqual(['ann-2', 'bob-1'])
  expect(names(await asked('?name.gte=0'))).toEqual([])
  expect(names(await asked('?name.gte="0"'))).toHaveLength(3)
  expect(await asked('/count')).toEqual({ count: 3, tag: expect.any(String) })
  expect(await asked('/count?name.gte=b')).toMatchObject({ count: 1 })
})

test.each([
  'name.gte=NaN',
  'name.lt=-Infinity',
  'name.gte=1e999',
  'name.gte=true',
  'name.gte=null',
  'name.gte=',
  'name.gte="open',
  'name.gte=1&name.lt=b',
  'name.gte=a&name.gte=b',
  'name.gte=a&name=b',
  'name.gte=a&name.gt=b',
  'name.above=a',
  'name.gte.x=a',
  '__proto__.gte=a',
  '.gte=a',
  'orderBy=name',
  'orderBy=name.up',
  'orderBy=name.asc.x',
  'orderBy=name.asc&orderBy=name.desc',
  'orderBy=__proto__.asc',
  'orderBy=',
])('the query %s is refused with 400', async (query) => {
  const { ask } = await served()
  for (const path of ['/api/threads', '/api/threads/count']) {
    const { status, body } = await ask(`${path}?${query}`, { role: 'operator' })
    expect([status, body['code']]).toEqual([400, 'invalid_query'])
  }
})

test('[X7] a role orders, filters and counts the threads that it may enter by values that it sees', async () => {
  const { asked } = await filed()
  expect(names(await asked('?orderBy=name.desc', ann))).toEqual(['ann-2', 'ann-1'])
  expect(await asked('/count', ann)).toMatchObject({ count: 2 })
  expect(await asked('/count?name.gt=ann-1', ann)).toMatchObject({ count: 1 })
  expect(await asked('/count', { role: 'holder', actor: 'eve' })).toMatchObject({ count: 0 })
  const clerk = { role: 'clerk' }
  expect(await asked('/count?status=open', clerk)).toMatchObject({ count: 3 })
  for (const query of ['?orderBy=name.asc', '?name.gte=a', '?name.lt=a']) {
    expect(await asked(query, clerk)).toEqual({ threads: [], tag: expect.any(String) })
    expect(await asked(`/count${query}`, clerk)).toEqual({ count: 0, tag: expect.any(String) })
  }
})

test('[X7] a count looks at a bounded number of threads, and goes on from there', async () => {
  const { ask, throughline } = await served()
  await file(throughline, 'ann-first')
  for (let n = 0; n < THREADS_LOOKED_AT_MAX; n++) await file(throughline, `bob-${n}`)
  const { body } = await ask('/api/threads/count', ann)
  expect(body['count']).toBe(0)
  const rest = await ask(`/api/threads/count?after=${String(body['next'])}`, ann)
  expect(rest.body).toEqual({ count: 1, tag: expect.any(String) })
})
