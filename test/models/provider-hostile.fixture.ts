import { expect } from 'vitest'
import { z } from 'zod'
import { defineAgent, tool } from 'throughline'
import type { Agent, LanguageModel } from 'throughline'
import { eventsOf, turnOf } from './provider-contract.fixture.ts'
import type { OpenProvider, Scenario } from './provider-contract.fixture.ts'
import { script } from './provider-server.fixture.ts'
import type { Answer } from './provider-server.fixture.ts'

/** Acts of agents, tools and models after which a provider could refuse the thread for ever. */
export const hostileContract: readonly Scenario[] = [
  { name: 'a tool fails without a word', run: silentFailure },
  { name: 'a tool has nothing to say', run: nothingToSay },
  { name: 'a tool gives half a character', run: (open) => result(open, 'x\u{1F600}'.slice(0, 2)) },
  {
    name: 'a result is cut off within a character',
    run: (open) => result(open, '\u{1F600}'.repeat(9)),
  },
  { name: 'a person sends half a character', run: halfInput },
  { name: 'arguments are no object', run: (open) => badArguments(open, '[1, 2]') },
  { name: 'arguments are null', run: (open) => badArguments(open, 'null') },
  { name: 'arguments are cut off', run: (open) => badArguments(open, '{"a": 1') },
  { name: 'a tool is called that is not there', run: unknownTool },
  { name: 'agents have names too long to be called', run: longNames },
]

const called = (name: string, input: unknown = {}): Answer => ({ parts: [{ call: name, input }] })

function withTool(model: LanguageModel, execute: () => unknown): Agent {
  const work = tool({ inputSchema: z.looseObject({}), execute })
  // An odd number of UTF-16 units: a cut there parts a character that takes two.
  const limits = { resultChars: 5 }
  return defineAgent({ name: 'lead', model, instructions: 'lead', tools: { work }, limits })
}

async function silentFailure(provider: OpenProvider): Promise<void> {
  const { model, server } = await provider(script({ lead: [called('work'), 'It failed.', 'Yes.'] }))
  const fail = () => {
    // A tool's error is the user's own.
    throw new Error('')
  }
  const { result: end } = await turnOf([withTool(model, fail)], ['Go', 'Did it?'])
  expect([end.reason, end.text]).toEqual(['success', 'Yes.'])
  expect(server.asked[1]?.results[0]).not.toBe('')
}

async function nothingToSay(provider: OpenProvider): Promise<void> {
  const { model } = await provider(script({ lead: [called('work'), 'Done.', 'Yes.'] }))
  const { result: end } = await turnOf([withTool(model, () => undefined)], ['Go', 'Is it?'])
  expect([end.reason, end.text]).toEqual(['success', 'Yes.'])
}

async function result(provider: OpenProvider, given: string): Promise<void> {
  const { model } = await provider(script({ lead: [called('work'), 'Done.'] }))
  const { result: end } = await turnOf([withTool(model, () => given)])
  expect([end.reason, end.text]).toEqual(['success', 'Done.'])
}

async function halfInput(provider: OpenProvider): Promise<void> {
  const { model } = await provider(script({ lead: ['Hello.'] }))
  const lead = defineAgent({ name: 'lead', model, instructions: 'lead' })
  const { result: end } = await turnOf([lead], ['Hi \u{1F600}'.slice(0, 4)])
  expect([end.reason, end.text]).toEqual(['success', 'Hello.'])
}

async function badArguments(provider: OpenProvider, input: string): Promise<void> {
  const { model, server } = await provider(script({ lead: [called('work', input), 'Sorry.'] }))
  const { events, result: end } = await turnOf([withTool(model, () => 'fine')])
  expect([end.reason, end.text]).toEqual(['success', 'Sorry.'])
  expect(eventsOf(events, 'tool_error')[0]?.code).toBe('invalid_input')
  expect(server.asked[1]?.results).toHaveLength(1)
}

async function unknownTool(provider: OpenProvider): Promise<void> {
  const { model, server } = await provider(script({ lead: [called('nope'), 'Sorry.'] }))
  const { result: end } = await turnOf([withTool(model, () => 'fine')])
  expect(end.text).toBe('Sorry.')
  expect(JSON.stringify(server.asked[1])).toContain('no such tool')
}

async function longNames(provider: OpenProvider): Promise<void> {
  const name = 'n'.repeat(64)
  const { model } = await provider(
    script({
      lead: ['Hello.'],
    }),
  )
  const other = defineAgent({ name, model, instructions: 'other' })
  const lead = defineAgent({
    name: 'lead',
    model,
    instructions: 'lead',
    agents: [other],
    handoffs: [other],
  })
  await expect(turnOf([lead])).rejects.toMatchObject({ code: 'invalid_agent' })
}
