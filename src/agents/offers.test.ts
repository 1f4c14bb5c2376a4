import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './agent.ts'
import { scriptedModel } from '../models/index.ts'
import { overheard, withAgents } from './runs.fixture.ts'

const model = scriptedModel(() => '')
const named = (name: string, description = '') => defineAgent({ name, model, description })

test('[C015] [C024] a model is told of its tools, of agents to ask and of agents to hand over to', async () => {
  const { model: listing, calls } = overheard(scriptedModel(() => ''))
  const lead = defineAgent({
    name: 'lead',
    model: listing,
    tools: { add: { description: 'Adds.', inputSchema: z.object({}), execute: () => 0 } },
    agents: [named('Tax Expert', 'Knows tax.')],
    handoffs: [named('writer')],
  })
  await withAgents([lead]).ask('Hi').result
  expect(calls[0]?.tools).toMatchObject([
    { name: 'add', description: 'Adds.' },
    {
      name: 'call_tax_expert',
      description: expect.stringContaining('Knows tax.') as string,
      inputSchema: { required: ['message'] },
    },
    { name: 'handoff_to_writer', inputSchema: { required: [] } },
  ])
})

test('two agents that a model could not tell apart cannot be used together', () => {
  const lead = defineAgent({ name: 'lead', model, agents: () => [named('a b'), named('a_b')] })
  expect(() => withAgents([lead])).toThrow(
    'two of its tools, agents or events are called "call_a_b"',
  )
})

test('two agents of one name cannot be used together, wherever they stand', () => {
  const lead = (name: string) => defineAgent({ name, model, agents: [named('helper')] })
  expect(() => withAgents([lead('one'), lead('two')])).toThrow(
    'Cannot use two agents called "helper"',
  )
  const shared = named('helper')
  const both = ['one', 'two'].map((name) => defineAgent({ name, model, agents: [shared] }))
  expect(() => withAgents(both)).not.toThrow()
})

test('a name that would be too long for a provider is refused', () => {
  const lead = defineAgent({ name: 'lead', model, handoffs: [named('x'.repeat(60))] })
  expect(() => withAgents([lead])).toThrow('longer than 64 characters')
})
