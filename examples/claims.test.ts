import { open } from 'throughline'
import { expect, test } from 'vitest'
import { app } from './claims/claims.ts'

test.each([
  ['after a crash, without a context', {}, 'I was cut off: please say it again.'],
  ['of another', { policies: ['P-200'] }, 'That is no policy of yours.'],
  ['of theirs', { policies: ['P-100'] }, 'I take it down.'],
])('a claims desk looks a policy up: %s', async (_name, requestContext, told) => {
  const tl = await open({ store: 'memory:', apps: [app] })
  const input = 'I am Ann Smith, my policy is P-100.'
  const ann = { actor: 'ann', role: 'holder', requestContext }
  const { text } = await tl.turn('claim-ann-1', { agent: 'triage', input, ...ann }).result
  expect(text).toContain(told)
  await tl.close()
})
