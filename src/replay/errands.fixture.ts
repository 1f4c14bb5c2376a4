import { z } from 'zod'
import { defineAgent } from '../agents/index.ts'
import { Throughline, defineApp } from '../application/index.ts'
import { defineDomain } from '../domain/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import { scriptedModel } from '../models/index.ts'
import type { LanguageModel } from '../models/index.ts'
import { sha256, uuidv7 } from '../platform/index.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

export interface Errand {
  readonly status: 'new' | 'wanted' | 'priced' | 'bought' | 'dropped'
  readonly what: string
  readonly pounds: number
}

const { event, domain } = defineDomain<Errand>()
const person = { source: 'ui', surface: 'home' } as const

export const errands = domain({
  name: 'errands',
  initial: { status: 'new', what: '', pounds: 0 },
  events: {
    wanted: event({
      schema: z.strictObject({ what: z.string() }),
      by: [person],
      personal: ['what'],
      reduce: (errand, { what }) => ({ ...errand, what, status: 'wanted' }),
    }),
    priced: event({
      schema: z.strictObject({ pounds: z.number() }),
      by: [{ source: 'model' }],
      complete: ({ pounds }, _, { ts }) => ({ pounds, at: ts }),
      reduce: (errand, { pounds }) => ({ ...errand, pounds, status: 'priced' }),
    }),
    bought: event({
      schema: z.strictObject({ receipt: z.string() }),
      by: [{ source: 'system' }],
      complete: ({ receipt }, _, { ts }) => ({ receipt, at: ts }),
      reduce: (errand) => ({ ...errand, status: 'bought' }),
    }),
    dropped: event({
      schema: z.strictObject({}),
      by: [person],
      reduce: (errand) => ({ ...errand, status: 'dropped' }),
    }),
  },
  effects: [
    {
      name: 'buy',
      due: ({ status, what }) => status === 'priced' && { key: 'buy', input: { what } },
    },
  ],
})

/** The model of the shopper: it looks the price up, asks how many, and names the price by its tool. */
export const shopper = (): LanguageModel =>
  scriptedModel(({ messages }) => {
    const results = messages.filter(({ role }) => role === 'tool')
    if (results.length === 0) return { toolCalls: [{ name: 'look_up', input: { shop: 'corner' } }] }
    if (results.length === 1) return { toolCalls: [{ name: 'set_price', input: {} }] }
    return `It costs ${results[0]?.text}.`
  })

export interface ErrandsOptions {
  readonly model?: LanguageModel
  readonly erasable?: boolean
  readonly operatorReads?: 'all' | 'redacted'
  /** Of looking the price up; the person then agrees. */
  readonly needsApproval?: (input: { readonly shop: string }) => boolean
}

/** Counts what worked in the world. */
export function errandsApp({
  model = shopper(),
  erasable = false,
  operatorReads = 'all',
  needsApproval,
}: ErrandsOptions = {}) {
  const worked: string[] = []
  const buyer = defineAgent({
    name: 'buyer',
    domain: errands,
    surface: 'home',
    model,
    instructions: ({ state }) => `Buy ${state.what}.`,
    tools: {
      look_up: {
        inputSchema: z.object({ shop: z.string(), currency: z.string().default('GBP') }),
        ...(needsApproval && { needsApproval }),
        execute: () => {
          worked.push('look_up')
          return { pounds: 3 }
        },
      },
      set_price: {
        inputSchema: z.object({}),
        proposes: ['priced'],
        async execute(_, { ask, propose }) {
          const schema = z.object({ count: z.coerce.number() })
          const { count } = await ask(schema, { count: 'How many?' })
          worked.push('set_price')
          await propose([{ type: 'priced', data: { pounds: count * 3 } }])
          return `priced ${count}`
        },
      },
    },
  })
  const app = defineApp({
    name: 'errands',
    domain: errands,
    agents: [buyer],
    erasable,
    roles: { home: { read: 'all', propose: 'all' }, operator: { read: operatorReads } },
    effects: {
      buy: {
        run: () => {
          worked.push('buy')
          return { type: 'bought' as const, data: { receipt: 'R1' } }
        },
      },
    },
  })
  return { app, worked }
}

/** An errand that a person wants, an agent prices with a question to the person, and an effect buys. */
export async function boughtErrand(options: ErrandsOptions = {}) {
  const log = memoryLog({ now: () => 5 })
  const { app, worked } = errandsApp(options)
  const tl = await Throughline.start({ log, apps: [app], now: () => 5, id: uuidv7, sha256 })
  const home = tl.as({ source: 'ui', surface: 'home', actor: 'ann' })
  await home.propose('t', [{ type: 'wanted', data: { what: 'tea' } }] as never)
  const turn = await tl.turn('t', { agent: 'buyer', input: 'Please buy it' } as never).result
  const agreed = { run: turn.run, values: { approved: true } }
  const { run } = options.needsApproval ? await tl.resume('t', agreed).result : turn
  await tl.resume('t', { run, values: { count: '2' } }).result
  await tl.settled()
  return { log, tl, app, worked, records: await recordsIn(tl.log) }
}

export async function recordsIn(log: Pick<EventLog, 'read'>, after = -1) {
  const records: LogRecord[] = []
  for await (const batch of log.read('t', { after })) records.push(...batch)
  return records
}
