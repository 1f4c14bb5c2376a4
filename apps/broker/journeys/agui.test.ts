import { HttpAgent } from '@ag-ui/client'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { CUSTOMER_STEPS, Journey, REFERENCE_SENTENCE, caseAfter } from './journey.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

function narrator(broker: ServedBroker, journey: Journey, side: 'installer' | 'customer') {
  return new HttpAgent({
    url: `${broker.url}/agui/${side}`,
    threadId: journey.sessionId,
    headers: { authorization: `Bearer ${journey.tokens[side]}` },
  })
}

async function stateFor(broker: ServedBroker, journey: Journey, side: 'installer' | 'customer') {
  const url = `${broker.url}/api/threads/${journey.sessionId}/state`
  const headers = { authorization: `Bearer ${journey.tokens[side]}` }
  const { state } = (await (await fetch(url, { headers })).json()) as { readonly state: unknown }
  return state
}

function say(agent: HttpAgent, content: string): void {
  agent.addMessage({ id: randomUUID(), role: 'user', content })
}

test('the stock client talks with the installer’s narrator, and sees the case change', async () => {
  const broker = await testBroker()
  const journey = await Journey.start(broker)
  const agent = narrator(broker, journey, 'installer')
  say(agent, REFERENCE_SENTENCE)
  const custom: unknown[] = []
  await agent.runAgent({}, { onCustomEvent: ({ event }) => void custom.push(event.value) })
  expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(custom).toContainEqual(
    expect.objectContaining({ type: 'record_project_facts' }) as unknown,
  )
  expect(agent.state).toEqual(await stateFor(broker, journey, 'installer'))
})

test('a customer clicks through AG-UI as on the page, and the installer’s client learns nothing of it', async () => {
  const broker = await testBroker()
  const journey = await caseAfter(broker)
  const [begin] = CUSTOMER_STEPS
  await begin?.(journey)
  await journey.present('service_status')
  const agent = narrator(broker, journey, 'customer')
  const directEvents = [{ type: 'acknowledge_disclosure', data: { id: 'service_status' } }]
  await agent.runAgent({ forwardedProps: { directEvents } })
  const state = await stateFor(broker, journey, 'customer')
  expect(agent.state).toEqual(state)
  expect(JSON.stringify(state)).toContain('acknowledgedAt')
  const installer = narrator(broker, journey, 'installer')
  installer.url = `${broker.url}/agui/installer/connect`
  await installer.runAgent()
  expect(JSON.stringify([installer.messages, installer.state])).not.toContain('acknowledgedAt')
})
