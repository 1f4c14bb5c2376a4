// One agent with a tool: its words as they come, what the tool shows while it runs, a second turn that
// knows the first, and what both used. Run it with: node examples/one-agent.ts
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
// From your own project: 'throughline'.
import { defineAgent, open, tool } from '../src/public/index.ts'
import { model } from './model.ts'

const SHELVES = { A: 4, B: 0, C: 8 }

const countStock = tool({
  description: 'Counts the pieces of an article on every shelf of the warehouse.',
  inputSchema: z.object({ article: z.string() }),
  async *execute({ article }, { progress, signal }) {
    progress(`counting "${article}"`)
    let pieces = 0
    for (const [shelf, found] of Object.entries(SHELVES)) {
      await wait(100, undefined, { signal })
      pieces += found
      yield { shelf, found, pieces }
    }
  },
})

const clerk = defineAgent({
  name: 'clerk',
  instructions: 'You are the clerk of a warehouse. Count before you answer, in one short sentence.',
  tools: { count_stock: countStock },
  model: model({
    script({ messages }) {
      const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text)
      const counted = messages.at(-1)?.role === 'tool' && messages.at(-1)?.text
      if (counted) return `This is what I found: ${counted}`
      if (asked.length > 1) return `Your first question was: "${asked[0]}"`
      const toolCalls = [{ name: 'count_stock', input: { article: 'lamps' } }]
      return { text: 'Let me count.', toolCalls }
    },
  }),
})

// `sqlite:one-agent.db` instead would keep the conversation for the next start.
const app = await open({ store: 'memory:', agents: [clerk] })

for (const input of ['How many lamps do we have?', 'What did I ask you first?']) {
  console.log(`you: ${input}`)
  const turn = app.turn('warehouse', { agent: 'clerk', input })
  for await (const event of turn) {
    if (event.type === 'chat_output') process.stdout.write(event.delta)
    if (event.type === 'tool_call') console.log(`\n  ${event.name} ${event.arguments}`)
    if (event.type === 'tool_output') console.log(`  … ${JSON.stringify(event.output)}`)
    if (event.type === 'tool_result') console.log(`  = ${JSON.stringify(event.result)}`)
  }
  const { reason, error, usage } = await turn.result
  const { calls, inputTokens, outputTokens } = usage.total
  console.log(
    `\n[${error?.message ?? reason}: ${calls} calls, ${inputTokens} in, ${outputTokens} out]\n`,
  )
}

await app.close()
