import { expect, onTestFinished, test } from 'vitest'
import { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import type { ServedBroker } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { anthropicServer } from './anthropic-server.fixture.ts'
import type { Reply } from './provider-server.fixture.ts'
import { emptyFolder, startServer } from '../server-process.fixture.ts'

const CONTACT = `<agent-event type="record_customer_contact" data='{"firstName":"Sarah"}' />`

async function servedBy(reply: () => Reply) {
  const provider = await anthropicServer(reply)
  const server = await startServer({
    DATA_DIR: await emptyFolder(),
    MODEL: 'anthropic/claude-sonnet-5-5',
    MODEL_BASE_URL: provider.baseUrl,
    ANTHROPIC_API_KEY: 'not-a-key',
  })
  const journey = await Journey.start({ url: server.url } as ServedBroker)
  onTestFinished(() => server.end('SIGTERM').then(() => undefined))
  return { provider, journey }
}

test('[A066] [A067] [B018] a real provider package streams prose and events through the same code', async () => {
  const { provider, journey } = await servedBy(() => `Thank you.\n${CONTACT}`)
  expect(await journey.say('installer', 'The customer is Sarah')).toMatchObject({
    reply: 'Thank you.',
    events: [{ type: 'record_customer_contact' }],
  })
  await journey.say('installer', 'Go on')
  expect(provider.asked).toHaveLength(2)
  expect(provider.asked[0]?.body.max_tokens).toBe(4_096)
  expect(provider.asked[0]?.body).not.toHaveProperty('tools')
  expect(provider.asked[1]?.body.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
  ])
})
