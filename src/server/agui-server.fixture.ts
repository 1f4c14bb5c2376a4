import { HttpAgent } from '@ag-ui/client'
import type { AgentSubscriber, Message, RunAgentInput } from '@ag-ui/client'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { defineAgent, tool } from '../agents/index.ts'
import { Throughline, defineApp } from '../application/index.ts'
import { defineDomain } from '../domain/index.ts'
import type { EventLog } from '../log/index.ts'
import { scriptedModel } from '../models/index.ts'
import type { ScriptedReply } from '../models/index.ts'
import type { ServeOptions } from './index.ts'
import { Tokens, serve } from './index.ts'
import { id, memoryLog, sha256 } from '../../test/memory-log.fixture.ts'

const { event, domain } = defineDomain<{ readonly notes: readonly string[] }>()
const notebook = domain({
  name: 'notebook',
  initial: { notes: [] },
  events: {
    noted: event({
      schema: z.object({ text: z.string() }),
      by: [{ source: 'model' }, { source: 'ui' }],
      reduce: ({ notes }, { text }) => ({ notes: [...notes, text] }),
    }),
  },
})

/** The payments of approved tools, to check that each happens once. */
export const paid: number[] = []

const pay = tool({
  inputSchema: z.object({ pounds: z.number() }),
  needsApproval: true,
  execute: ({ pounds }) => {
    paid.push(pounds)
    return `Paid ${pounds}`
  },
})

/** A tool of the page, and one that asks a person for values. */
const show = tool({ inputSchema: z.object({ what: z.string() }) })
const order = tool({
  inputSchema: z.object({}),
  execute: async (_input, { ask }) => {
    const { to } = await ask(z.object({ to: z.string() }), { to: 'Who gets it?' })
    return `Sent to ${to}`
  },
})

const note = tool({
  inputSchema: z.object({ text: z.string() }),
  execute: async ({ text }, { propose }) => {
    await propose([{ type: 'noted', data: { text } }])
    return 'Noted'
  },
})

const unlock = tool({
  inputSchema: z.object({}),
  needsApproval: true,
  execute: () => 'unlocked',
})

/** Asks for an approval before it looks into the vault. */
const archiveModel = scriptedModel(({ messages }) => {
  const { role, text = '' } = messages.at(-1) ?? {}
  const asks = role !== 'tool' && text.includes('vault')
  return asks ? { text: 'Let me see.', toolCalls: [call('unlock', {})] } : `Found: ${text}`
})

type Scripted = Parameters<Parameters<typeof scriptedModel>[0]>[0]

/** What the clerk does where a message holds a word: the first that fits. */
const CLERK: readonly (readonly [string, (said: string, asked: Scripted) => ScriptedReply])[] = [
  ['pay', () => ({ text: 'One moment.', toolCalls: [call('pay', { pounds: 5 })] })],
  ['vault', (message) => ({ toolCalls: [call('call_archive', { message })] })],
  ['archive', () => ({ toolCalls: [call('call_archive', { message: 'case 7' })] })],
  ['show', () => ({ toolCalls: [call('show', { what: 'a map' })] })],
  ['order', () => ({ toolCalls: [call('order', {})] })],
  ['remember', (text) => ({ toolCalls: [call('note', { text })] })],
  ['tools', (_said, { tools }) => `Tools: ${tools.join(', ')}`],
  ['where', (_said, { system }) => `I was told: ${system}`],
  ['', (said) => `Heard: ${said}`],
]

/** Answers, asks the archive, pays with an approval, or asks the page to show something. */
const clerkModel = scriptedModel((asked) => {
  const last = asked.messages.at(-1)
  const said = last?.text ?? ''
  if (last?.role === 'tool') return `I have it: ${said}`
  const [, reply] = CLERK.find(([word]) => said.includes(word)) ?? []
  return reply?.(said, asked) ?? ''
})

function call(name: string, input: Readonly<Record<string, string | number>>) {
  return { name, input }
}

/** Lets a slow reply go on. */
export class Gate {
  readonly #waiting: (() => void)[] = []
  get waiting(): number {
    return this.#waiting.length
  }
  readonly open = (): void => this.#waiting.splice(0).forEach((go) => go())
  readonly wait = (): Promise<void> => new Promise((go) => this.#waiting.push(go))
}

export interface AguiSetting extends Partial<ServeOptions> {
  readonly log?: EventLog
  readonly gate?: Gate
}

/** A clerk and a slow teller behind a real HTTP server, as AG-UI serves them. */
export async function serveAgui({ log: given, gate = new Gate(), ...options }: AguiSetting = {}) {
  const log = given ?? memoryLog()
  const archive = defineAgent({
    name: 'archive',
    model: archiveModel,
    tools: { unlock },
  })
  const clerk = defineAgent({
    domain: notebook,
    name: 'clerk',
    model: clerkModel,
    tools: { pay, show, order, note: { ...note, proposes: ['noted'] } },
    agents: [archive],
  })
  const waits = tool({
    inputSchema: z.object({}),
    execute: async () => gate.wait().then(() => 'rested'),
  })
  const teller = defineAgent({
    domain: notebook,
    name: 'teller',
    tools: { waits },
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? 'The end.'
        : { text: 'Once upon a time, é…', toolCalls: [call('waits', {})] },
    ),
  })
  const desk = defineApp({ name: 'desk', domain: notebook, agents: [clerk, teller] })
  const parts = { log, apps: [desk], now: Date.now, id, sha256, retryDelayMs: 1 }
  const throughline = await Throughline.start(parts)
  const warnings: unknown[] = []
  const write = (line: string) => warnings.push(JSON.parse(line))
  const server = await serve(throughline, {
    port: 0,
    tokens: new Tokens(['a secret']),
    logger: pino({ level: 'warn' }, { write }),
    ...options,
  })
  onTestFinished(() => server.close())
  return { url: server.url, log, throughline, warnings, gate }
}

export interface Ran {
  readonly messages: readonly Message[]
  readonly types: readonly string[]
  readonly agent: HttpAgent
}

/** Runs an agent by the stock client, and returns the calls of its subscriber. */
export async function run(
  agent: HttpAgent,
  input: Parameters<HttpAgent['runAgent']>[0] = {},
  also: AgentSubscriber = {},
): Promise<Ran> {
  const types: string[] = []
  await agent.runAgent(input, { onEvent: ({ event: each }) => void types.push(each.type), ...also })
  return { messages: agent.messages, types, agent }
}

export function clientOf(url: string, agent: string, threadId: string = id()): HttpAgent {
  return new HttpAgent({ url: `${url}/agui/${agent}`, threadId })
}

export function say(agent: HttpAgent, content: string): void {
  agent.addMessage({ id: id(), role: 'user', content })
}

/** Sends a request for a run unchanged, and returns its frames. */
export async function post(
  url: string,
  body: Partial<RunAgentInput> | string,
  headers: Record<string, string> = {},
) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify({ messages: [], ...body }),
  })
  const text = await response.text()
  return { status: response.status, text, frames: framesIn(text) }
}

export interface Frame {
  readonly id: string
  readonly event: Readonly<Record<string, unknown>> & { readonly type: string }
}

export function framesIn(text: string): readonly Frame[] {
  return text.split('\n\n').flatMap((frame) => {
    const [, frameId = '', data] = /^id: (.*)\ndata: (.*)$/.exec(frame) ?? []
    return data === undefined ? [] : [{ id: frameId, event: JSON.parse(data) as Frame['event'] }]
  })
}
