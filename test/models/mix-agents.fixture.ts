import { z } from 'zod'
import { defineAgent, defineDomain, scriptedModel, tool } from 'throughline'
import type { Agent, Domain, LanguageModel, ScriptedReply } from 'throughline'

export interface Desk {
  readonly clicks: number
  readonly noted: number
  readonly sent: number
  readonly marks: number
}

const { event, domain } = defineDomain<Desk>()

/** Clicks of people, marks of models, a rule that derives and one that submits. */
export const mixDesk: Domain<Desk> = domain({
  name: 'mix_desk',
  initial: { clicks: 0, noted: 0, sent: 0, marks: 0 },
  events: {
    click: event({
      schema: z.strictObject({ n: z.int() }),
      by: [{ source: 'ui' }],
      guard: (_state, { n }) =>
        n === 0 ? { refused: 'precondition', detail: 'n is 0' } : undefined,
      reduce: (state) => ({ ...state, clicks: state.clicks + 1 }),
    }),
    mark: event({
      schema: z.strictObject({ n: z.int() }),
      by: [{ source: 'model' }],
      guard: (_state, { n }) =>
        n === 0 ? { refused: 'precondition', detail: 'n is 0' } : undefined,
      reduce: (state) => ({ ...state, marks: state.marks + 1 }),
    }),
    noted: event({
      schema: z.strictObject({}),
      by: [{ source: 'rule' }],
      reduce: (state) => ({ ...state, noted: state.clicks }),
    }),
    sent: event({
      schema: z.strictObject({}),
      by: [{ source: 'rule' }],
      reduce: (state) => ({ ...state, sent: state.clicks }),
    }),
  },
  rules: [
    {
      name: 'R1',
      propose: ({ clicks, noted }) => (clicks > noted + 1 ? [{ type: 'noted', data: {} }] : []),
    },
    {
      name: 'R2',
      submits: true,
      propose: ({ clicks, sent }) => (clicks > sent ? [{ type: 'sent', data: {} }] : []),
    },
  ],
})

/** Agents of every kind; what their models and tools do is left to chance. `calm` always answers. */
export function mixAgents(chance: () => number): readonly Agent<Desk>[] {
  const tools = mixTools(chance)
  const model = mixModel(chance)
  const limits = { steps: 4, toolCalls: 8, depth: 3, handoffs: 2 }
  const common = { model, limits }
  const { plain, slow, fails, approved, asks, client } = tools
  const page = defineAgent<Desk>({ ...common, name: 'page', emits: ['mark'], tools: { plain } })
  const reader = defineAgent<Desk>({ ...common, name: 'reader', tools: { asks }, agents: [page] })
  const peer = defineAgent<Desk>({ ...common, name: 'peer', tools: { approved }, agents: [page] })
  const clerk = defineAgent<Desk>({
    ...common,
    name: 'clerk',
    emits: ['mark'],
    tools: { slow, approved },
    agents: [reader],
    handoffs: [peer],
  })
  const writer: Agent<Desk> = defineAgent<Desk>({
    ...common,
    name: 'writer',
    tools: { client },
    agents: [reader],
    handoffs: () => [lead],
  })
  const lead: Agent<Desk> = defineAgent<Desk>({
    ...common,
    name: 'lead',
    emits: ['mark'],
    tools: { plain, fails, asks, client },
    agents: [clerk],
    handoffs: () => [writer],
  })
  const desk = defineAgent<Desk>({
    ...common,
    name: 'desk',
    surface: 'desk',
    submits: true,
    tools: { plain, slow },
    agents: [clerk],
  })
  const hall = defineAgent<Desk>({
    ...common,
    name: 'hall',
    surface: 'hall',
    tools: { approved, fails },
    handoffs: [peer],
  })
  const calm = defineAgent<Desk>({ name: 'calm', model: scriptedModel(() => 'All is well.') })
  return [lead, desk, hall, writer, calm]
}

function mixTools(chance: () => number) {
  const inputSchema = z.object({})
  return {
    plain: tool({
      inputSchema,
      execute: (_input, { progress }) => (progress('a line'), { value: 1 }),
    }),
    slow: tool({
      inputSchema,
      async *execute() {
        yield 'half'
        await ticks(Math.floor(chance() * 6))
        yield 'all'
      },
    }),
    fails: tool({
      inputSchema,
      execute: async () => {
        await ticks(Math.floor(chance() * 3))
        throw new Error('out of order')
      },
    }),
    approved: tool({ inputSchema, needsApproval: true, execute: () => 'agreed' }),
    asks: tool({
      inputSchema,
      execute: (_input, { values, pause }) =>
        values ? `It is ${String(values['name'])}` : pause({ name: 'Which name?' }),
    }),
    client: tool({ inputSchema }),
  }
}

/** A model that speaks, calls tools, fails, breaks off or hangs, at random in each call. */
function mixModel(chance: () => number): LanguageModel {
  let down = 0
  return scriptedModel(({ tools }): ScriptedReply | Promise<ScriptedReply> => {
    const reply = down-- > 0 ? { fail: new Error('overloaded') } : mixReply(chance, tools)
    if (chance() < 0.02) down = 6
    const wait = Math.floor(chance() * 4)
    return wait === 0 ? reply : ticks(wait).then(() => reply)
  })
}

function mixReply(chance: () => number, tools: readonly string[]): ScriptedReply {
  const drawn = chance()
  if (drawn < 0.04) return { hang: true }
  if (drawn < 0.08) return { fail: new Error('overloaded') }
  if (drawn < 0.12) return { cut: 'I am cut' }
  if (drawn < 0.16) return { text: `I cannot ${tag(chance)}`, fail: new Error('overloaded') }
  if (drawn < 0.19) return ' '
  const text = chance() < 0.5 ? 'Well.' : `Well. ${tag(chance)}`
  if (tools.length === 0 || drawn < 0.45) return text
  const toolCalls = Array.from({ length: 1 + Math.floor(chance() * 3) }, () => {
    const name = chance() < 0.05 ? 'nothing' : oneOf(chance, tools)
    return { name, input: chance() < 0.05 ? '{' : inputOf(chance, name) }
  })
  return { ...(chance() < 0.3 ? { reasoning: 'Hm.' } : {}), text, toolCalls }
}

function tag(chance: () => number): string {
  const type = chance() < 0.8 ? 'mark' : 'click'
  return `<agent-event type="${type}" data='{"n":${Math.floor(chance() * 4)}}' />`
}

function inputOf(chance: () => number, name: string): object {
  if (/^(call_|handoff_to_)/.test(name)) return { message: 'Do it' }
  return name.startsWith('propose_') ? { n: Math.floor(chance() * 4) } : {}
}

export function oneOf<Value>(chance: () => number, values: readonly Value[]): Value {
  const value = values[Math.floor(chance() * values.length)]
  if (value === undefined) throw new Error('Cannot pick: the list is empty')
  return value
}

/** Lets other work go on for as many rounds of the event loop. */
export async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}
