import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../models/index.ts'
import { defineAgent, tool } from './index.ts'
import type { Agent } from './index.ts'

const model = scriptedModel(() => '')

// A tool's input is typed by its schema.
tool({
  inputSchema: z.object({ a: z.number(), b: z.string().optional() }),
  needsApproval: ({ a }) => a > 1,
  execute: (input) => {
    expectTypeOf(input).toEqualTypeOf<{ a: number; b?: string | undefined }>()
  },
})

// So it is in a plain object, with or without help.
defineAgent({
  name: 'plain',
  model,
  tools: {
    add: {
      description: 'Adds.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      needsApproval: ({ a }) => a > 1,
      execute: ({ a, b }, { log }) => {
        log(`adding ${a}`)
        expectTypeOf(b).toEqualTypeOf<number>()
        return a + b
      },
    },
    shout: {
      inputSchema: z.object({ text: z.string() }),
      execute: async ({ text }) => text.toUpperCase(),
    },
    locate: { inputSchema: z.object({}) },
    typed: tool({ inputSchema: z.object({ x: z.number() }), execute: ({ x }) => x }),
  },
})

interface Lamp {
  readonly lit: boolean
}

const keeper = defineAgent<Lamp>({
  name: 'keeper',
  model,
  instructions: ({ state }) => {
    expectTypeOf(state).toEqualTypeOf<Lamp>()
    return `The lamp is ${state.lit ? 'on' : 'off'}`
  },
  tools: {
    add: {
      inputSchema: z.object({ a: z.number() }),
      // With a state given, a plain object needs `tool` to be typed.
      execute: (input) => String(input),
    },
  },
})
expectTypeOf(keeper).toEqualTypeOf<Agent<Lamp>>()

// An agent that knows nothing of the state works with any domain's.
defineAgent<Lamp>({ name: 'lead', model, agents: [defineAgent({ name: 'any', model })] })

// @ts-expect-error an agent of another domain does not
defineAgent<{ other: number }>({ name: 'lead', model, agents: [keeper] })

// @ts-expect-error a limit that is none
defineAgent({ name: 'x', model, limits: { maxSteps: 3 } })
