import { createAnthropic } from '@ai-sdk/anthropic'
import { expect, test } from 'vitest'
import { caseAfter, walk } from '../../apps/broker/journeys/journey.fixture.ts'
import { anthropicServer } from './anthropic-server.fixture.ts'
import { playedByAnthropic } from './narrator-script.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

test('[surfaces 59] a declined customer’s question reaches the provider with how the case ended and without reasons', async () => {
  const systems: string[] = []
  const provider = await anthropicServer((asked) => {
    systems.push(asked.system)
    return playedByAnthropic(asked)
  })
  const model = createAnthropic({ baseURL: provider.baseUrl, apiKey: 'not-a-key' })(
    'claude-sonnet-5-5',
  )
  const journey = await caseAfter(await testBroker({ model }), 0, 'decline')
  await walk(journey)
  const { reply } = await journey.say('customer', 'Why can nobody lend to me?')
  expect(reply).toMatch(/Lenders' reasons are shown neither/)
  const system = systems.at(-1) ?? ''
  expect(system).toMatch(/^CASE_STATUS: declined$/m)
  expect(system).toMatch(/^CURRENT_GATE: closed$/m)
  expect(system).toContain('Ended (CURRENT_GATE is closed)')
  expect(JSON.stringify(provider.asked) + system).not.toContain('DEMO_SCENARIO')
})
