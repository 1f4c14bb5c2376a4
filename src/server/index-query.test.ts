import { expect, test } from 'vitest'
import { WHERE_VALUES_MAX } from '../application/index.ts'
import { mounted } from './mounted-routes.fixture.ts'

test('a query names 16 values of an index, numbers too, and no more', async () => {
  const { ask, throughline } = await mounted()
  await throughline.propose('t', [{ type: 'reported', data: { what: 'smoke' } }])
  const list = (count: number) => {
    const values = Array.from({ length: count }, (_, n) => `reports=${n}`)
    return ask(`/api/threads?${values.join('&')}`, { role: 'operator' })
  }
  expect((await list(WHERE_VALUES_MAX)).body).toMatchObject({ threads: [{ thread: 't' }] })
  const { status, body } = await list(WHERE_VALUES_MAX + 1)
  expect([status, body['code']]).toEqual([400, 'invalid_query'])
  expect(body['detail']).toContain('17 values of "reports": give at most 16')
})
