import fc from 'fast-check'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { scriptedModel } from '../models/index.ts'
import type { Agent } from './define/agent.ts'
import type { ScriptedReply } from '../models/index.ts'
import type { Json } from '../json/index.ts'

/** What an agent of a random tree does in each of its steps, and how it ends. */
export interface Shape {
  readonly steps: readonly (readonly Act[])[]
  readonly ends: 'says' | 'fails' | 'cuts' | 'fails once' | 'hands over' | 'says nothing'
  readonly next: Shape | undefined
}

export type Act =
  | { readonly kind: 'tool'; readonly how: 'gives' | 'throws' | 'yields' | 'asks' }
  | { readonly kind: 'agent'; readonly shape: Shape }
  | { readonly kind: 'unknown' }

const ends = fc.constantFrom(
  'says' as const,
  'says' as const,
  'says nothing' as const,
  'fails' as const,
  'cuts' as const,
  'fails once' as const,
  'hands over' as const,
)

const leaf: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('tool' as const),
      how: fc.constantFrom('gives' as const, 'throws' as const, 'yields' as const, 'asks' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'unknown' as const }) },
)

export function shapeOf(depth: number): fc.Arbitrary<Shape> {
  const agent = (): fc.Arbitrary<Act> =>
    fc.record({ kind: fc.constant('agent' as const), shape: shapeOf(depth - 1) })
  const act = depth === 0 ? leaf : fc.oneof(leaf, agent())
  return fc.record({
    steps: fc.array(fc.array(act, { minLength: 1, maxLength: 3 }), {
      maxLength: depth === 0 ? 1 : 2,
    }),
    ends,
    next: depth === 0 ? fc.constant(undefined) : fc.option(shapeOf(0), { nil: undefined }),
  })
}

/** Makes agents of a shape; each answers by how far its own conversation has come, as a real one does. */
export class Builder {
  #count = 0
  readonly #tools = toolsThatDo()

  build({ steps, ends, next }: Shape): Agent<Json> {
    const name = `agent_${this.#count++}`
    const below = new Map<Shape, Agent<Json>>()
    for (const act of steps.flat()) {
      if (act.kind === 'agent') below.set(act.shape, this.build(act.shape))
    }
    const successor = ends === 'hands over' ? this.build(next ?? SAYS) : undefined
    let failures = 0
    const model = scriptedModel(({ messages, tools }): ScriptedReply => {
      const done = messages.filter(({ role }) => role === 'assistant').length
      const calls = steps[done]
      if (calls && tools.length > 0) {
        return {
          reasoning: 'Hm.',
          text: `Step ${done} of ${name}`,
          toolCalls: calls.map((act, index) => ({ ...callOf(act, below), id: `call-${index}` })),
        }
      }
      if (ends === 'fails') return { text: 'I cannot', fail: new Error('overloaded') }
      if (ends === 'fails once' && failures++ === 0) return { fail: new Error('overloaded') }
      if (ends === 'cuts') return { cut: 'I am cut' }
      if (successor) {
        return { text: 'Over', toolCalls: [{ name: `handoff_to_${successor.name}`, input: {} }] }
      }
      return ends === 'says nothing' ? ' ' : `End of ${name}`
    })
    return defineAgent<Json>({
      name,
      model,
      tools: this.#tools,
      agents: [...below.values()],
      handoffs: successor ? [successor] : [],
      limits: { steps: 6 },
    })
  }
}

const SAYS: Shape = { steps: [], ends: 'says', next: undefined }

function toolsThatDo() {
  const inputSchema = z.object({})
  return {
    gives: tool({
      inputSchema,
      execute: (_input, { progress }) => (progress('a line'), { value: [1, 'x', null] }),
    }),
    throws: tool({ inputSchema, execute: () => Promise.reject(new Error('out of order')) }),
    yields: tool({
      inputSchema,
      async *execute() {
        yield 'one'
        yield 'two'
      },
    }),
    asks: tool({ inputSchema, needsApproval: true, execute: () => 'agreed' }),
  }
}

function callOf(act: Act, below: ReadonlyMap<Shape, Agent<Json>>) {
  if (act.kind === 'tool') return { name: act.how, input: {} }
  if (act.kind === 'unknown') return { name: 'nothing', input: '{' }
  return { name: `call_${below.get(act.shape)?.name}`, input: { message: 'Do it' } }
}
