import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import { tool as sdkTool } from 'ai'
import { defineDomain } from '../../domain/index.ts'
import { scriptedModel } from '../../models/index.ts'
import { defineAgent, tool } from '../index.ts'
import type { Agent, ToolContext } from '../index.ts'

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
      execute: ({ a, b }, { progress }) => {
        progress(`adding ${a}`)
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
expectTypeOf(keeper).toEqualTypeOf<Agent<Lamp, string, undefined>>()

// An agent that knows nothing of the state works with any domain's.
defineAgent<Lamp>({ name: 'lead', model, agents: [defineAgent({ name: 'any', model })] })

// @ts-expect-error an agent of another domain does not
defineAgent<{ other: number }>({ name: 'lead', model, agents: [keeper] })

// @ts-expect-error a limit that is none
defineAgent({ name: 'x', model, limits: { maxSteps: 3 } })

// A domain gives the types of the state and of the events; the name is a type too.
const { event, domain } = defineDomain<Lamp>()
const lamps = domain({
  name: 'lamps',
  initial: { lit: false },
  events: {
    switched_on: event({
      schema: z.object({ watts: z.int() }),
      by: [{ source: 'model' }],
      reduce: () => ({ lit: true }),
    }),
    switched_off: event({
      schema: z.object({}),
      by: [{ source: 'model' }],
      reduce: () => ({ lit: false }),
    }),
  },
})
const guard = tool({
  inputSchema: z.object({}),
  execute: async (_input, { state, propose }: ToolContext<Lamp>) => {
    const done = await propose([{ type: 'switched_off', data: {} }])
    return state.lit && done.state.lit
  },
})
const warden = defineAgent({
  domain: lamps,
  name: 'warden',
  model,
  emits: ['switched_on'],
  instructions: ({ state }) => {
    expectTypeOf(state).toEqualTypeOf<Lamp>()
    return `${state.lit}`
  },
  notes: ({ state }) => [`${state.lit}`],
  tools: {
    guard,
    light: {
      inputSchema: z.object({ watts: z.int() }),
      execute: async ({ watts }, { state, propose, signal, progress }) => {
        expectTypeOf(state).toEqualTypeOf<Lamp>()
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
        progress({ watts })
        const { accepted, refused } = await propose([{ type: 'switched_on', data: { watts } }])
        // @ts-expect-error a tool proposes no event that the domain lacks
        await propose([{ type: 'switched_onn', data: { watts } }])
        // @ts-expect-error a proposal's data has the types of its event's schema
        await propose([{ type: 'switched_on', data: { watts: 'many' } }])
        return accepted.length + refused.length
      },
    },
    sdk: sdkTool({ inputSchema: z.object({ x: z.number() }), execute: ({ x }) => x }),
    darken: {
      inputSchema: z.object({}),
      proposes: ['switched_off'],
      execute: (_input, { propose }) => propose([{ type: 'switched_off', data: {} }]),
    },
    dim: tool({ inputSchema: z.object({}), proposes: ['switched_off'] }),
  },
  agents: [defineAgent({ name: 'any', model })],
})
expectTypeOf(warden).toEqualTypeOf<Agent<Lamp, 'warden', undefined>>()
expectTypeOf(warden).toExtend<Agent<Lamp>>()
expectTypeOf(keeper.name).toEqualTypeOf<string>()

// @ts-expect-error an event that the domain lacks
defineAgent({ domain: lamps, name: 'x', model, emits: ['switched_onn'] })

const fly = { inputSchema: z.object({}), proposes: ['flown'] } as const
// @ts-expect-error a type that the domain lacks
defineAgent({ domain: lamps, name: 'x', model, tools: { fly } })
// @ts-expect-error so it is with `tool`
defineAgent({ domain: lamps, name: 'x', model, tools: { fly: tool(fly) } })
defineAgent({
  domain: lamps,
  name: 'x',
  model,
  tools: {
    // @ts-expect-error a type that the domain lacks
    darken: { inputSchema: z.object({}), proposes: ['switched_of'] },
  },
})

/** As opened applications declare whom a turn may ask. */
declare function turn<Name extends string>(
  agents: readonly Agent<Lamp, Name>[],
  request: { readonly agent: NoInfer<Name> },
): void
const helper = defineAgent({ domain: lamps, name: 'helper', model })
turn([warden, helper], { agent: 'helper' })
turn([keeper], { agent: 'anybody' })
// @ts-expect-error no agent is called so
turn([warden, helper], { agent: 'warder' })

// @ts-expect-error a tool of another state
defineAgent<{ readonly other: number }>({ name: 'x', model, tools: { guard } })

// A tool of the AI SDK that wants a context of its own gets none here.
const wanting = sdkTool({
  inputSchema: z.object({}),
  contextSchema: z.object({ key: z.string() }),
  execute: (_input, { context }) => context.key,
})
// @ts-expect-error it would run without the context that it needs
defineAgent({ name: 'x', model, tools: { wanting } })

// What a person answers is typed by the schema that the tool asks with.
tool({
  inputSchema: z.object({}),
  execute: async (_input, { ask }) => {
    const schema = z.object({ pieces: z.coerce.number(), note: z.string().optional() })
    const given = await ask(schema, { pieces: 'How many?', note: 'Anything else?' })
    expectTypeOf(given).toEqualTypeOf<{ pieces: number; note?: string | undefined }>()
    // @ts-expect-error the schema reads "pieces", which the questions do not name
    await ask(schema, { note: 'Anything else?' })
    // @ts-expect-error the schema does not read "peices"
    await ask(schema, { pieces: 'How many?', note: '', peices: 'How many?' })
  },
})
