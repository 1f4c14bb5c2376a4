import { expect, test } from 'vitest'
import { Quotas } from './quotas.ts'
import { byHeader, mounted, report } from './mounted-routes.fixture.ts'

const ann = { role: 'responder', id: 'ann' }

test('a token proposes so often within ten seconds and no more; others go on, and so does it later', () => {
  const quotas = new Quotas({ proposalsPerMinute: 60 })
  for (let count = 0; count < 10; count++) quotas.takeProposal(ann, 1_000 + count)
  expect(() => quotas.takeProposal(ann, 2_000)).toThrow('this token has sent 10 requests')
  quotas.takeProposal({ role: 'responder', id: 'bob' }, 2_000)
  quotas.takeProposal({ role: 'operator' }, 2_000)
  quotas.takeProposal(ann, 11_000)
})

test('one that floods a thread with events is told when to come again, and nothing is recorded', async () => {
  const { ask, throughline } = await mounted({ authenticate: byHeader, proposalsPerMinute: 12 })
  const send = () => ask('/api/threads/i-1/events', { role: 'responder', actor: 'ann' }, report)
  const answers = [await send(), await send(), await send()]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(answers[2]?.body).toMatchObject({ code: 'too_many_proposals' })
  expect(await throughline.log.head('i-1')).toBe(1)
})

test('callers without an actor have quotas in each thread, so that nobody locks all others out', async () => {
  const { ask } = await mounted({ authenticate: byHeader, proposalsPerMinute: 6 })
  const send = (thread: string) =>
    ask(`/api/threads/${thread}/events`, { role: 'responder' }, report)
  expect((await send('i-1')).status).toBe(200)
  expect((await send('i-1')).status).toBe(429)
  expect((await send('i-2')).status).toBe(200)
})
