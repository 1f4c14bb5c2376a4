import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { scriptedModel } from '../models/index.ts'
import type { Agent } from './define/agent.ts'
import type { Tool } from './define/tool.ts'
import type { Json } from '../json/index.ts'
import { calling } from './runs.fixture.ts'

/** The payments that were made, so that a test sees whether one was made twice. */
export function till() {
  const paid: number[] = []
  const pay = tool({
    inputSchema: z.object({ amount: z.number() }),
    needsApproval: ({ amount }) => amount > 1,
    execute: ({ amount }) => {
      paid.push(amount)
      return `paid ${amount}`
    },
  })
  return { paid, pay }
}

/** Uses one tool with some input and reports the result. */
export function user(
  name: string,
  [toolName, tool]: readonly [string, Tool],
  input: Json = {},
): Agent<Json> {
  return defineAgent({
    name,
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? `Then: ${messages.at(-1)?.text}`
        : calling([toolName, input]),
    ),
    tools: { [toolName]: tool },
  })
}

/** Puts an agent below as many others. */
export function below(depth: number, agent: Agent<Json>): Agent<Json> {
  let top = agent
  for (let level = depth; level > 0; level--) {
    const name = `over_${level}`
    const call = calling([`call_${top.name}`, { message: `from ${name}` }])
    const model = scriptedModel(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? `${name}: ${messages.at(-1)?.text}` : call,
    )
    top = defineAgent({ name, model, agents: [top] })
  }
  return top
}

/** Asks for a name and gives it. */
export const askName = tool({
  inputSchema: z.object({}),
  execute: (_input, { values, pause }) =>
    values ? `The name is ${String(values['name'])}` : pause({ name: 'What is your name?' }),
})
