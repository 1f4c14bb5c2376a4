import { ourMetadata } from 'throughline/client'
import { scriptedModel, textOf } from 'throughline'
import { expect, test } from 'vitest'
import { caseAfter, offerSeed } from './journey.fixture.ts'
import { request } from './served-broker.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

test('[B067] a reply that was cut off is still marked as cut off after two cold starts', async () => {
  let isCut = false
  const model = scriptedModel(() => (isCut ? { cut: 'We are a' } : 'Hello.'))
  const first = await testBroker({ model })
  const journey = await caseAfter(first)
  isCut = true
  expect((await journey.say('customer', 'Are you a lender?')).end).toBe('failed')
  const { body: shown } = await request(`${first.url}/api/session/${journey.sessionId}`, {
    token: journey.tokens.customer,
  })
  const [second, third] = [await testBroker(), await testBroker()]
  const { body } = await offerSeed(journey, String(shown['seed']), second)
  await offerSeed(journey, String(body['seed']), third)
  const replies = shown['customerMessages'] as readonly { id: string; text: string }[]
  const cut = replies.filter(({ text }) => text === 'We are a').map(({ id }) => id)
  expect(cut.length).toBeGreaterThan(0)
  for (const { log } of [second, third]) {
    const ends = (await recordsOf(log, journey.sessionId)).filter(
      ({ type }) => type === 'TEXT_MESSAGE_END',
    )
    const marked = ends.filter(({ data }) => ourMetadata(data)['cut'] === 'failed')
    expect(marked.map(({ data }) => textOf(data, 'messageId'))).toEqual(cut)
    expect(ends.length).toBeGreaterThan(marked.length)
  }
})
