import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../define/agent.ts'
import { defineDomain } from '../../domain/index.ts'
import { lamp } from '../../domain/lamp.fixture.ts'
import type { Lamp } from '../../domain/lamp.fixture.ts'
import { scriptedModel } from '../../models/index.ts'
import { overheard, withAgents } from '../runs.fixture.ts'

const model = scriptedModel(() => '')
const named = (name: string, description = '') => defineAgent({ name, model, description })

test('[C015] [C024] a model’s prompt lists its tools, agents to ask and agents to hand over to', async () => {
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

test('two agents of one name cannot be used together, at any place of the tree', () => {
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

test('an agent of another domain is refused when it is put to work, also as a sub-agent', () => {
  const initial = lamp.initial
  const other = defineDomain<Lamp>().domain({ name: 'torch', initial, events: {} })
  const keeper = defineAgent({ domain: lamp, name: 'keeper', model, emits: ['switch_on'] })
  const lead = defineAgent({ domain: other, name: 'lead', model, agents: () => [keeper] })
  const why = (domain: string, given: string) =>
    `it is defined for the domain ${domain}, not for this "${given}"; give the agent and the application the same domain`
  expect(() => withAgents([keeper], { domain: other })).toThrow(why('"lamp"', 'torch'))
  expect(() => withAgents([lead], { domain: other })).toThrow('Cannot use agent "keeper"')
  const again = { ...lamp }
  expect(() => withAgents([keeper], { domain: again })).toThrow(why('another "lamp"', 'lamp'))
  expect(() => withAgents([keeper], { domain: lamp })).not.toThrow()
})
