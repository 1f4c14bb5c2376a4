import { expect } from 'vitest'
import { z } from 'zod'
import { defineAgent, open, tool } from 'throughline'
import type { Agent, CallerEvent, LanguageModel } from 'throughline'
import { script } from './provider-server.fixture.ts'
import type { Answer, ModelServer, Reply, Script } from './provider-server.fixture.ts'

/** A provider package, its server, and the usage of each successful call as that provider reports it. */
export interface OpenedProvider {
  readonly server: Omit<ModelServer, 'asked'> & {
    readonly asked: readonly { readonly results: readonly string[] }[]
  }
  readonly model: LanguageModel
  readonly perCall: Readonly<Record<string, number>>
}

export type OpenProvider = (reply: Script) => Promise<OpenedProvider>

export interface Scenario {
  readonly name: string
  readonly run: (provider: OpenProvider) => Promise<void>
}

const add = tool({
  description: 'Adds two numbers',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
})

const LOOP: Answer = {
  parts: [{ say: 'Let me see.' }, { call: 'add', input: { a: 2, b: 3 } }],
}

/** The contract of every provider package. */
export const providerContract: readonly Scenario[] = [
  { name: 'one agent calls a tool and answers, turn after turn', run: toolLoop },
  { name: 'two tools are called at once, and one fails', run: parallelTools },
  {
    name: 'an error in the middle of a stream',
    run: (open) => triedAgain(open, broken('overloaded')),
  },
  { name: 'a connection that is cut', run: (open) => triedAgain(open, broken('cut')) },
  { name: 'a stream that ends too early', run: (open) => triedAgain(open, broken('early end')) },
  { name: 'a refusal before the stream', run: (open) => triedAgain(open, 529) },
  { name: 'a turn that is stopped hangs up', run: stopped },
  { name: 'a turn that is stopped before the first word hangs up', run: stoppedEarly },
]

/** Runs one turn to its end. */
export async function turnOf(agents: readonly Agent[], inputs: readonly string[] = ['Go']) {
  const app = await open({ store: 'memory:', agents })
  const events: CallerEvent[] = []
  for (const input of inputs) {
    const turn = app.turn('t', { agent: agents[0]?.name ?? '', input })
    for await (const event of turn) events.push(event)
    const result = await turn.result
    if (input === inputs.at(-1)) {
      await app.close()
      return { events, result }
    }
  }
  throw new Error('Cannot run a turn without an input')
}

export function eventsOf<T extends CallerEvent['type']>(
  events: readonly CallerEvent[],
  type: T,
): readonly (CallerEvent & { readonly type: T })[] {
  return events.filter((event): event is CallerEvent & { readonly type: T } => event.type === type)
}

async function toolLoop(provider: OpenProvider): Promise<void> {
  const { server, model, perCall } = await provider(
    script({ lead: [LOOP, 'It is 5.', LOOP, 'Still 5.', 'You are welcome.'] }),
  )
  const lead = defineAgent({ name: 'lead', model, instructions: 'lead', tools: { add } })
  const { events, result } = await turnOf([lead], ['2 + 3?', 'Sure?', 'Thank you'])
  expect(server.asked.map(({ results }) => results)).toEqual([[], ['5'], [], ['5'], []])
  const calls = eventsOf(events, 'tool_call').map(({ name, arguments: given }) => [
    name,
    JSON.parse(given),
  ])
  expect(calls).toEqual([
    ['add', { a: 2, b: 3 }],
    ['add', { a: 2, b: 3 }],
  ])
  expect(eventsOf(events, 'tool_result').map(({ result: five }) => five)).toEqual([5, 5])
  expect([result.reason, result.text]).toEqual(['success', 'You are welcome.'])
  for (const { usage } of eventsOf(events, 'completion_end')) expect(usage).toMatchObject(perCall)
  expect(result.usage.total).toMatchObject({ ...perCall, calls: 1, unreported: 0 })
}

async function parallelTools(provider: OpenProvider): Promise<void> {
  const both: Answer = {
    parts: [
      { call: 'slow', input: {} },
      { call: 'printer', input: {} },
    ],
  }
  const { server, model } = await provider(script({ lead: [both, 'One of them worked.'] }))
  const printing = Promise.withResolvers<void>()
  const none = z.object({})
  const slow = tool({
    inputSchema: none,
    execute: async () => {
      await printing.promise
      return 'done'
    },
  })
  const printer = tool({
    inputSchema: none,
    execute: () => {
      printing.resolve()
      throw new Error('out of paper')
    },
  })
  const lead = defineAgent({ name: 'lead', model, instructions: 'lead', tools: { slow, printer } })
  const { events, result } = await turnOf([lead])
  // Some packages put a failure in JSON of their own.
  const failure: unknown = expect.stringContaining('out of paper')
  expect(server.asked[1]?.results).toEqual(['done', failure])
  const [failed] = eventsOf(events, 'tool_error')
  expect(failed).toMatchObject({ name: 'printer', error: 'out of paper', code: 'tool_failed' })
  expect(result).toMatchObject({ reason: 'success', text: 'One of them worked.' })
}

const ask = (agent: string, message = 'Please'): Answer => ({
  parts: [{ call: `call_${agent}`, input: { message } }],
})

function broken(breaks: 'overloaded' | 'cut' | 'early end'): Reply {
  return { parts: [{ say: 'Half of ' }, { call: 'add', input: '{"a":' }], breaks }
}

async function triedAgain(provider: OpenProvider, failure: Reply): Promise<void> {
  const { model, perCall } = await provider(
    script({ top: [ask('low'), 'Here it is.'], low: [failure, LOOP, 'All of it.'] }),
  )
  const low = defineAgent({ name: 'low', model, instructions: 'low', tools: { add } })
  const top = defineAgent({ name: 'top', model, instructions: 'top', agents: [low] })
  const { events, result } = await turnOf([top])
  const begun = eventsOf(events, 'completion_start')
    .filter(({ agent }) => agent === 'low')
    .map(({ step, attempt, depth }) => [step, attempt, depth])
  expect(begun).toEqual([
    ['model:1', 1, 1],
    ['model:1', 2, 1],
    ['model:2', 1, 1],
  ])
  const calls = eventsOf(events, 'tool_call').filter(({ agent }) => agent === 'low')
  expect(calls.map(({ attempt }) => attempt)).toEqual([2])
  expect(eventsOf(events, 'subagent_result').map((event) => event.result)).toEqual(['All of it.'])
  expect(result).toMatchObject({ reason: 'success', text: 'Here it is.' })
  expect(result.usage.total).toMatchObject({
    calls: 5,
    unreported: 1,
    inputTokens: 4 * (perCall['inputTokens'] ?? 0),
  })
  expect(result.usage.byAgent['low']).toMatchObject({ calls: 3, unreported: 1 })
}

async function stopped(provider: OpenProvider): Promise<void> {
  const endless: Answer = { parts: [{ say: 'I could go on and on' }], breaks: 'hang' }
  const { server, model } = await provider(
    script({ top: [ask('low'), 'Where were we?'], low: [endless] }),
  )
  const low = defineAgent({ name: 'low', model, instructions: 'low' })
  const top = defineAgent({ name: 'top', model, instructions: 'top', agents: [low] })
  const app = await open({ store: 'memory:', agents: [top] })
  const turn = app.turn('t', { agent: 'top', input: 'Go' })
  for await (const event of turn) {
    if (event.type === 'chat_output') expect(await app.cancel('t')).toBe(true)
  }
  await server.abandoned
  expect((await turn.result).reason).toBe('cancelled')
  const next = await app.turn('t', { agent: 'top', input: 'And now?' }).result
  expect(next).toMatchObject({ reason: 'success', text: 'Where were we?' })
  await app.close()
}

async function stoppedEarly(provider: OpenProvider): Promise<void> {
  const reached = Promise.withResolvers<void>()
  const { server, model } = await provider(() => {
    reached.resolve()
    return { parts: [], breaks: 'silence' }
  })
  const app = await open({
    store: 'memory:',
    agents: [defineAgent({ name: 'lead', model, instructions: 'lead' })],
  })
  const turn = app.turn('t', { agent: 'lead', input: 'Go' })
  await reached.promise
  expect(await app.cancel('t')).toBe(true)
  await server.abandoned
  expect((await turn.result).reason).toBe('cancelled')
  await app.close()
}
