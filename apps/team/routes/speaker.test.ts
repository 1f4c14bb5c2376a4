import { expect, test } from 'vitest'
import { started, summoned } from './open-team.fixture.ts'

test('[D037] [D039] [D038] a message names its speaker and its target, and keeps no prefix', async () => {
  const { post, programs, has } = await summoned()
  await post('/api/send', { message: 'hi', targetAgent: 'Lyra', speakerName: 'Ada' })
  await post('/api/send', { message: '[ROUTE TO AGENT: lyra] hi' })
  await post('/api/send', { message: 'see [ROUTE TO AGENT: Lyra] hi', targetAgent: 'Julian' })
  expect((await has('user_message', 4)).slice(1)).toMatchObject([
    { text: 'hi', targetAgent: 'Lyra', speakerName: 'Ada' },
    { text: 'hi', targetAgent: 'Lyra' },
    { text: 'see [ROUTE TO AGENT: Lyra] hi', targetAgent: null },
  ])
  expect(await has('agent_message', 2)).toMatchObject([
    { agentName: 'Lyra' },
    { agentName: 'Lyra' },
  ])
  expect(programs.started[0]?.written[2]).toBe('[ROUTE TO AGENT: Lyra] hi')
})

test('[D037] nobody speaks to an agent that is not there, or under the name of one', async () => {
  const { post, stream } = await summoned()
  const before = stream.events.length
  const message = 'hi'
  const bodies = [
    { message, targetAgent: 'Orion' },
    { message: '[ROUTE TO AGENT: Orion] hi' },
    { message, speakerName: 'lyra' },
    { message, speakerName: ' Julian' },
  ]
  for (const body of bodies) expect((await post('/api/send', body)).status).toBe(400)
  const jobs = [{ name: 'Cook', description: '' }]
  expect((await post('/api/agents/offer', { agentName: 'Orion', jobs })).status).toBe(400)
  expect(stream.events).toHaveLength(before)
})

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['Julian', 'Human'],
])('[D038] %s, who is signed in, speaks as %s, whatever a request says', async (actor, name) => {
  const authenticate = () => ({ role: 'operator', actor })
  const { post, has } = await started({ authenticate })
  await post('/api/send', { message: 'hi', speakerName: 'Bob' })
  expect(await has('user_message', 2)).toMatchObject([
    { speakerName: 'System', ask: { kind: 'greeting' } },
    { speakerName: name },
  ])
})

test('[D021] the server asks for the greeting, and no person', async () => {
  const { log } = await started()
  const by: string[] = []
  for await (const records of log.read('team')) {
    const said = records.filter(({ type }) => type === 'user_message')
    by.push(...said.map(({ origin }) => origin.source))
  }
  expect(by).toEqual(['system'])
})
