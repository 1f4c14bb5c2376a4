import { expect } from 'vitest'
import { z } from 'zod'
import { defineAgent, defineDomain, open, tool } from 'throughline'
import { emptyFolder } from '../server-process.fixture.ts'
import { eventsOf, turnOf } from './provider-contract.fixture.ts'
import type { OpenProvider, Scenario } from './provider-contract.fixture.ts'
import { script } from './provider-server.fixture.ts'
import type { Answer, Part } from './provider-server.fixture.ts'

const add = tool({
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
})

const SUM: Part = { call: 'add', input: { a: 2, b: 3 } }
const thinking = (...thoughts: readonly string[]): Answer => ({
  parts: [...thoughts.map((think) => ({ think })), SUM],
})

/** The contract of models with thoughts: they are sent back as the provider signed them. */
export const thoughtContract: readonly Scenario[] = [
  { name: 'a thought goes back with its signature', run: givenBack },
  { name: 'a thought, words and a call in one answer', run: withWords },
  { name: 'thoughts whose text is kept from us go back too', run: hidden },
  { name: 'thoughts go back after a restart', run: restarted },
  { name: 'the thoughts of an attempt that failed are not given back', run: failedAttempt },
  { name: 'a step that was tried again stays where it was', run: retriedPrefix },
  {
    name: 'thoughts go back while their turn runs, and later only under the same instructions',
    run: otherState,
  },
  { name: 'thoughts do not outlive a summary of the messages before them', run: summedUp },
]

async function givenBack(provider: OpenProvider): Promise<void> {
  const final: Answer = { parts: [{ think: 'It is done' }, { say: 'It is 5.' }] }
  const { model } = await provider(
    script({ lead: [thinking('Two and three'), thinking('Again'), final, 'Still.'] }),
  )
  const lead = defineAgent({ name: 'lead', model, instructions: 'lead', tools: { add } })
  const { events, result } = await turnOf([lead], ['2 + 3?', 'Sure?'])
  const thought = eventsOf(events, 'reasoning_content').map(({ delta }) => delta)
  expect(thought.join('')).toBe('Two and threeAgainIt is done')
  expect([result.reason, result.text]).toEqual(['success', 'Still.'])
}

async function withWords(provider: OpenProvider): Promise<void> {
  const all: Answer = { parts: [{ think: 'Two' }, { say: 'Let me see.' }, SUM] }
  const { model } = await provider(script({ lead: [all, all, 'Five.', 'Yes.'] }))
  const lead = defineAgent({ name: 'lead', model, instructions: 'lead', tools: { add } })
  const { result } = await turnOf([lead], ['2 + 3?', 'Sure?'])
  expect([result.reason, result.text]).toEqual(['success', 'Yes.'])
}

async function hidden(provider: OpenProvider): Promise<void> {
  const { model } = await provider(script({ lead: [thinking(''), thinking('', 'Hm'), 'Five.'] }))
  const lead = defineAgent({ name: 'lead', model, instructions: 'lead', tools: { add } })
  expect((await turnOf([lead])).result).toMatchObject({ reason: 'success', text: 'Five.' })
}

async function restarted(provider: OpenProvider): Promise<void> {
  const { model } = await provider(
    script({
      lead: [
        thinking('Two'),
        { parts: [{ think: 'May I?' }, { call: 'pay', input: {} }] },
        'Paid.',
      ],
    }),
  )
  const pay = tool({ inputSchema: z.object({}), needsApproval: true, execute: () => 'paid' })
  const agents = [defineAgent({ name: 'lead', model, instructions: 'lead', tools: { add, pay } })]
  const store = `sqlite:${await emptyFolder()}/log.db`
  const before = await open({ store, agents })
  const asked = await before.turn('t', { agent: 'lead', input: 'Pay' }).result
  await before.close()
  const after = await open({ store, agents })
  const done = await after.resume('t', { run: asked.run, values: { approved: true } }).result
  await after.close()
  expect([asked.reason, done.reason, done.text]).toEqual(['interrupt', 'success', 'Paid.'])
}

async function failedAttempt(provider: OpenProvider): Promise<void> {
  const lost: Answer = { ...thinking('This one is lost'), breaks: 'overloaded' }
  const { model } = await provider(script({ lead: [lost, thinking('This one counts'), 'Five.'] }))
  const lead = defineAgent({ name: 'lead', model, instructions: 'lead', tools: { add } })
  expect((await turnOf([lead])).result).toMatchObject({ reason: 'success', text: 'Five.' })
}

async function retriedPrefix(provider: OpenProvider): Promise<void> {
  const half: Answer = { parts: [{ say: 'Half of ' }], breaks: 'overloaded' }
  const { model } = await provider(script({ lead: [half, thinking('Anew'), 'Five.', 'Yes.'] }))
  const lead = defineAgent({ name: 'lead', model, instructions: 'lead', tools: { add } })
  const { result } = await turnOf([lead], ['2 + 3?', 'Sure?'])
  expect(result).toMatchObject({ reason: 'success', text: 'Yes.' })
}

interface Counter {
  readonly count: number
}

async function otherState(provider: OpenProvider): Promise<void> {
  const counted: Answer = { parts: [{ think: 'One more' }, { call: 'propose_counted', input: {} }] }
  const { model } = await provider(
    script({ 'Count: 0': [counted], 'Count: 1': ['Counted.', 'Yes, one.'] }),
  )
  const { event, domain } = defineDomain<Counter>()
  const counting = domain({
    name: 'counting',
    initial: { count: 0 },
    events: {
      counted: event({
        schema: z.object({}),
        by: [{ source: 'model' }],
        reduce: ({ count }) => ({ count: count + 1 }),
      }),
    },
  })
  const lead = defineAgent<Counter>({
    name: 'lead',
    model,
    instructions: ({ state }) => `Count: ${state.count}`,
    emits: ['counted'],
  })
  const app = await open({ store: 'memory:', agents: [lead], domain: counting })
  const first = await app.turn('t', { agent: 'lead', input: 'Count' }).result
  const second = await app.turn('t', { agent: 'lead', input: 'Sure?' }).result
  await app.close()
  expect([first.text, second.text]).toEqual(['Counted.', 'Yes, one.'])
}

async function summedUp(provider: OpenProvider): Promise<void> {
  const { model } = await provider((asked) => {
    if (asked.system !== 'lead') return 'They talked about sums.'
    return asked.results.length > 0 ? 'It is 5. '.repeat(20) : thinking('Two and three')
  })
  const lead = defineAgent({
    name: 'lead',
    model,
    instructions: 'lead',
    tools: { add },
    limits: { historyChars: 900 },
  })
  const { result } = await turnOf([lead], ['1?', '2?', '3?', '4?', '5?', '6?', '7?', '8?'])
  expect(result.reason).toBe('success')
}
