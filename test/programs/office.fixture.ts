import { z } from 'zod'
import { defineAgent, tool, Runs } from '../../src/agents/index.ts'
import { scriptedModel } from '../../src/models/index.ts'
import { defineApp } from '../../src/application/index.ts'
import { defineDomain } from '../../src/domain/index.ts'
import { Gate } from '../../src/gate/index.ts'
import type { EventLog } from '../../src/log/index.ts'
import { sha256, uuidv7 } from '../../src/storage/index.ts'

/** Agents that are never long in the same state: text, tools, two levels below, hand-offs. */
export function office(log: EventLog) {
  const domain = defineDomain<object>().domain({ name: 'office', initial: {}, events: {} })
  const gate = new Gate({ log, domain, sha256, now: Date.now, id: uuidv7 })
  const runs = new Runs({ gate, log, agents: [lead()], sha256, id: uuidv7, retryDelayMs: 0 })
  return { gate, runs }
}

export const officeApp = () => defineApp({ name: 'office', agents: [lead()] })

const inputSchema = z.object({})

function lead() {
  const look = tool({
    inputSchema,
    async *execute(_input, { progress }) {
      progress('looking')
      yield 'half'
      await soon()
      yield 'all'
    },
  })
  const reader = defineAgent({ name: 'reader', model: slow(() => 'Read it all, twice.') })
  const clerk = defineAgent({
    name: 'clerk',
    model: slow((calls) =>
      calls === 0 ? calling(['call_reader', { message: 'p. 1' }], ['look']) : 'That is all.',
    ),
    tools: { look },
    agents: [reader],
  })
  const writer = defineAgent({ name: 'writer', model: slow(() => 'Written down.') })
  return defineAgent({
    name: 'lead',
    model: slow((calls) =>
      calls === 0
        ? calling(['call_clerk', { message: 'a' }], ['call_clerk', { message: 'b' }], ['look'])
        : calling(['handoff_to_writer']),
    ),
    tools: { look },
    agents: [clerk],
    handoffs: [writer],
  })
}

/** A model that streams slowly and acts by the calls since the last message of a person. */
function slow(script: (calls: number) => string | ReturnType<typeof calling>) {
  return scriptedModel(
    ({ messages }) => {
      const heard = messages.findLastIndex(({ role }) => role === 'user')
      return script(messages.slice(heard).filter(({ role }) => role === 'tool').length)
    },
    { chunkLength: 16, chunkDelayMs: 1 },
  )
}

function calling(...calls: readonly (readonly [name: string, input?: unknown])[]) {
  return {
    reasoning: 'Let me see.',
    text: 'One moment, please.',
    toolCalls: calls.map(([name, input = {}]) => ({ name, input })),
  }
}

function soon(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 3)
  })
}
