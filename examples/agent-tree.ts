// Agents that ask agents, four levels of them, two at once: every event of the whole tree reaches the
// caller as it happens, with its agent and its depth. Run it with: node examples/agent-tree.ts
// From your own project: 'throughline'.
import { defineAgent, open } from '../src/public/index.ts'
import type { CallerEvent, Usage } from '../src/public/index.ts'
import { model } from './model.ts'

const timetable = defineAgent({
  name: 'timetable',
  instructions: 'You know the timetable: the train to the coast leaves at 9:12 and at 11:12.',
  model: model({ modelId: 'small', script: () => 'The train leaves at 9:12 and at 11:12.' }),
})

const trains = defineAgent({
  name: 'trains',
  instructions: 'Ask the timetable, then recommend one train in one sentence.',
  agents: [timetable],
  model: model({
    modelId: 'small',
    script: ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? 'Take the 9:12.'
        : { toolCalls: [{ name: 'call_timetable', input: { message: 'Trains to the coast?' } }] },
  }),
})

const rooms = defineAgent({
  name: 'rooms',
  instructions: 'You know one hotel, the Lighthouse, which has a room. Name it in one sentence.',
  model: model({ modelId: 'small', script: () => 'The Lighthouse has a room above the sea.' }),
})

const travel = defineAgent({
  name: 'travel',
  description: 'Arranges a journey.',
  instructions: 'Ask trains and rooms at the same time, then give both answers in one sentence.',
  agents: [trains, rooms],
  model: model({
    modelId: 'small',
    script: ({ messages }) => {
      const answers = messages.flatMap(({ role, text }) => (role === 'tool' ? [text] : []))
      if (answers.length > 0) return answers.join(' ')
      const calls = ['call_trains', 'call_rooms']
      return { toolCalls: calls.map((name) => ({ name, input: { message: 'To the coast' } })) }
    },
  }),
})

const planner = defineAgent({
  name: 'planner',
  instructions: 'Plan a weekend: let travel arrange it, then tell the plan in two sentences.',
  agents: [travel],
  model: model({
    modelId: 'large',
    script: ({ messages: [, , found] }) =>
      found
        ? { reasoning: 'One train, one room: enough.', text: `Your weekend: ${found.text}` }
        : { toolCalls: [{ name: 'call_travel', input: { message: 'A night by the sea' } }] },
  }),
})

const prices = { large: { input: 3, output: 15 }, small: { input: 0.8, output: 4 } }
const app = await open({ store: 'memory:', agents: [planner], prices })
const turn = app.turn('weekend', { agent: 'planner', input: 'A weekend by the sea, please.' })
for await (const event of turn) {
  console.log(`${'    '.repeat(event.depth)}${event.agent}: ${event.type}${detail(event)}`)
}
const { text, error, usage } = await turn.result
console.log(`\n${error?.message ?? text}\n`)
for (const used of Object.entries({ ...usage.byAgent, ...usage.byModel })) tell(used)
await app.close()

function detail(event: CallerEvent): string {
  if (event.type === 'chat_output' || event.type === 'reasoning_content') return ` ${event.delta}`
  return event.type === 'subagent_call' ? ` → ${event.targetAgent}` : ''
}

function tell([name, { calls, inputTokens, outputTokens, cost }]: [string, Usage]): void {
  const price = cost === undefined ? 'price unknown' : `$${cost.toFixed(6)}`
  console.log(`${name}: ${calls} calls, ${inputTokens} in, ${outputTokens} out, ${price}`)
}
