// A pipeline: each agent hands over to the next, which takes its caller and its depth. One stops in the
// middle to ask a person, and the last is stopped by one. Run it with: node examples/pipeline.ts
import { z } from 'zod'
// From your own project: 'throughline'.
import { defineAgent, open, tool } from '../src/public/index.ts'
import type { AgentTurn } from '../src/public/index.ts'
import { model } from './model.ts'

const publish = tool({
  description: 'Publishes a notice for everybody to see.',
  inputSchema: z.object({ notice: z.string() }),
  needsApproval: true,
  execute: ({ notice }) => `Published: ${notice}`,
})

const archivist = defineAgent({
  name: 'archivist',
  description: 'Writes the record of what was published.',
  instructions: 'Write a detailed record of what was published, in at least ten sentences.',
  model: model({ script: () => 'It was published as it had been agreed. '.repeat(10) }),
})

const editor = defineAgent({
  name: 'editor',
  description: 'Checks and publishes a draft.',
  instructions:
    'Publish the draft that you are given. When that is done, hand over to the archivist.',
  tools: { publish },
  handoffs: [archivist],
  model: model({
    script: ({ messages }) =>
      messages.some(({ role, text }) => role === 'tool' && text.startsWith('Published'))
        ? { text: 'It is out.', toolCalls: [{ name: 'handoff_to_archivist', input: {} }] }
        : { toolCalls: [{ name: 'publish', input: { notice: 'Closed on Monday.' } }] },
  }),
})

const writer = defineAgent({
  name: 'writer',
  instructions: 'Draft a notice of one sentence, say it, and hand it over to the editor.',
  handoffs: [editor],
  model: model({
    script: () => ({
      text: 'Closed on Monday.',
      toolCalls: [{ name: 'handoff_to_editor', input: { message: 'Closed on Monday.' } }],
    }),
  }),
})

const app = await open({ store: 'memory:', agents: [writer] })
const thread = 'notices'

let turn = app.turn(thread, { agent: 'writer', input: 'Tell people that we are closed on Monday.' })
let result = await told(turn)
while (result.waits.length > 0) {
  console.log('you: yes')
  turn = app.resume(thread, { run: result.run, values: { approved: true } })
  result = await told(turn)
}
console.log(`[${result.error?.message ?? result.reason}] on record: "${result.text}"`)
await app.close()

/** Prints the events, and stops the archivist, which goes on and on. */
async function told(turn: AgentTurn<unknown>) {
  for await (const event of turn) {
    const who = `${event.agent} (depth ${event.depth})`
    if (event.type === 'chat_output') console.log(`${who}: ${event.delta}`)
    if (event.type === 'tool_result') console.log(`${who} used ${event.name}`)
    if (event.type === 'turn_end') console.log(`${who} is done: ${event.reason}`)
    if (event.type === 'turn_cancelled') console.log(`${who} was stopped`)
    if (event.type === 'wait_for_input')
      console.log(`${who} asks: ${event.requestKeys['approved']}`)
    if (event.type === 'chat_output' && event.agent === 'archivist') await app.cancel(thread)
  }
  return turn.result
}
