import { createAnthropic } from '@ai-sdk/anthropic'
import { expect, test } from 'vitest'
import { caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import { anthropicServer } from './anthropic-server.fixture.ts'
import { playedByAnthropic } from './narrator-script.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

test('Anthropic’s wire carries the articles that answer the message, and no others', async () => {
  const server = await anthropicServer(playedByAnthropic)
  const model = createAnthropic({ baseURL: server.baseUrl, apiKey: 'not-a-key' })(
    'claude-sonnet-5-5',
  )
  const broker = await testBroker({ model })
  const journey = await caseAfter(broker)
  await journey.say('customer', 'What is APR? Can I pay it off early? I lost my job.')
  const articles = [
    ...JSON.stringify(server.asked.at(-1)?.body.messages.at(-1)).matchAll(/\/help#([a-z-]+)/g),
  ].map(([, id]) => id)
  expect(articles).toEqual(['apr', 'early-repayment', 'debt'])
  await broker.close()
  server.close()
})
