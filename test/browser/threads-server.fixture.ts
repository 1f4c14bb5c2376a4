import { pino } from 'pino'
import { inject } from 'vitest'
import { z } from 'zod'
import { defineAgent, tool } from '../../src/agents/index.ts'
import { scriptedModel } from '../../src/models/index.ts'
import type { ScriptedCall, ScriptedReply } from '../../src/models/scripted-model.ts'
import { deskApp } from '../../apps/desk/application.ts'
import { scriptedDesk } from '../../apps/desk/index.ts'
import { open } from '../../src/public/index.ts'
import type { InputPart } from '../../src/public/index.ts'
import type { Throughline } from '../../src/public/index.ts'
import type { EventLog } from '../../src/log/index.ts'
import { Tokens, serve } from '../../src/server/index.ts'
import { HeldModels } from './held-model.fixture.ts'
import { memoryLog } from '../memory-log.fixture.ts'

const models = new HeldModels()
const scripted = (script: (call: ScriptedCall) => ScriptedReply, modelId: string) =>
  models.holdable(scriptedModel(script, { modelId }))

export const LONG_ANSWER = Array.from({ length: 40 }, (_, at) => `Sentence ${at + 1}.`).join(' ')

type Said = string | readonly InputPart[]

/** Serves agents and their page from this process. */
export async function serveThreads() {
  const log = memoryLog()
  let { server, throughline } = await listen(log, 0)
  const { url } = server
  return {
    url,
    /** Asks without a page, and resolves when it is done. */
    ask: (thread: string, agent: 'closer' | 'crowd' | 'echo' | 'lead', input: Said) =>
      throughline.turn(thread, { agent, input }).result,
    holdAt: (words: string) => models.holdAt(words),
    /** Ends every connection, and listens again at the same address once `between` is done. */
    async restart(between: () => Promise<void>) {
      await server.close()
      await between()
      const again = await listen(log, Number(new URL(url).port))
      server = again.server
      throughline = again.throughline
    },
    close: () => server.close(),
  }
}

async function listen(log: EventLog, port: number) {
  const throughline = await open({
    store: log,
    agents: [lead(), closer, echo, crowd],
    prices: { 'throughline/small': { input: 0.8, output: 4 } },
    retryDelayMs: 400,
  })
  return { server: await servePage(throughline, port), throughline }
}

function servePage(throughline: Throughline, port: number) {
  return serve(throughline, {
    port,
    tokens: new Tokens(['a secret']),
    store: 'memory',
    version: 'test',
    pages: { folder: inject('pages'), routes: { '/threads/:id': 'pages/threads/index.html' } },
    logger: pino({ level: 'silent' }),
  })
}

/** Serves the refunds desk of the demonstration and its page. */
export async function serveDesk() {
  const log = memoryLog()
  const apps = [deskApp(scriptedDesk({ chunkDelayMs: 0 }))]
  return servePage(await open({ store: log, apps }), 0)
}

const small = (script: (call: ScriptedCall) => ScriptedReply) => scripted(script, 'small')

/** The result of the tool that was called last, if a tool was. */
const resultIn = ({ messages }: ScriptedCall): string | undefined => {
  const last = messages.at(-1)
  return last?.role === 'tool' ? last.text : undefined
}

const scanner = defineAgent({
  name: 'scanner',
  description: 'Reads old pages.',
  model: small(() => `Page 12 says that the lamp was lit in 1861. ${LONG_ANSWER}`),
})

const librarian = defineAgent({
  name: 'librarian',
  description: 'Finds books.',
  agents: [scanner],
  model: small((call) =>
    resultIn(call) === undefined
      ? { text: 'The log book will have it.', toolCalls: [callOf('call_scanner')] }
      : 'The log book has it: 1861.',
  ),
})

const search = tool({
  inputSchema: z.object({ words: z.string() }),
  execute: async ({ words }, { progress }) => {
    progress(`Looking for "${words}"`)
    progress('3 shelves, 40 books')
    await Promise.resolve()
    return { books: ['Log book, 1860 to 1862', 'The Keepers of the Light'] }
  },
})

const researcher = defineAgent({
  name: 'researcher',
  description: 'Finds things out.',
  tools: { search },
  agents: [librarian],
  model: small((call) => {
    const result = resultIn(call)
    if (result === undefined) return { toolCalls: [{ name: 'search', input: { words: 'lamp' } }] }
    return result.includes('books')
      ? { text: 'Two books may have it.', toolCalls: [callOf('call_librarian')] }
      : 'It was lit in 1861, says the log book.'
  }),
})

const closer = defineAgent({
  name: 'closer',
  description: 'Says goodbye.',
  model: small(() => 'Thank you, and goodbye.'),
})

const echo = defineAgent({
  name: 'echo',
  files: ['image/*', 'application/pdf'],
  model: small(({ messages }) => `Echo of ${messages.at(-1)?.text}`),
})

export const CROWD = 60

const crowd = defineAgent({
  name: 'crowd',
  agents: [echo],
  model: small((call) => {
    if (resultIn(call) !== undefined) return 'All have answered.'
    const calls = Array.from({ length: CROWD }, (_, at) => `voice ${at}`)
    return { toolCalls: calls.map((message) => ({ name: 'call_echo', input: { message } })) }
  }),
})

const pay = tool({
  inputSchema: z.object({ to: z.string(), pounds: z.number() }),
  needsApproval: true,
  approval: ({ to, pounds }) => ({
    question: `Pay ${to} £${pounds}.00?`,
    accept: `Pay £${pounds}.00`,
    facts: [{ label: 'To', value: to }],
    reasons: ['A person agrees to every payment'],
  }),
  execute: ({ pounds }) => `Paid £${pounds}`,
})

const book = tool({
  inputSchema: z.object({}),
  execute: (_input, { values, pause }) =>
    values
      ? `Booked for ${String(values['name'])}, ${String(values['date'])}`
      : pause({ name: 'Name of the guest', date: 'Date of arrival' }),
})

const measure = tool({ inputSchema: z.object({ room: z.string() }) })

const fragile = tool({
  inputSchema: z.object({}),
  execute: () => {
    throw new Error('The drawer is locked')
  },
})

/** What the lead does first when a prompt holds a word. */
const OPENINGS: Readonly<Record<string, ScriptedReply>> = {
  lighthouse: {
    reasoning: 'A question about the past: the researcher has the books.',
    text: 'I will ask the researcher.',
    toolCalls: [callOf('call_researcher')],
  },
  pay: { text: 'One moment.', toolCalls: [{ name: 'pay', input: { to: 'Sarah', pounds: 5 } }] },
  book: { toolCalls: [{ name: 'book', input: {} }] },
  measure: { toolCalls: [{ name: 'measure', input: { room: 'kitchen' } }] },
  both: {
    toolCalls: [
      { name: 'pay', input: { to: 'Tom', pounds: 7 } },
      { name: 'book', input: {} },
    ],
  },
  drawer: { toolCalls: [{ name: 'fragile', input: {} }] },
  goodbye: { toolCalls: [callOf('handoff_to_closer')] },
  long: LONG_ANSWER,
  trouble: { text: 'I was about to', fail: new Error('overloaded') },
}

function callOf(name: string) {
  return { name, input: { message: 'When was the lamp of the lighthouse lit?' } }
}

function lead() {
  let troubles = 0
  return defineAgent({
    name: 'lead',
    description: 'Asks an expert.',
    tools: { pay, book, measure, fragile },
    agents: [researcher],
    handoffs: [closer],
    model: scripted((call) => {
      const result = resultIn(call)
      if (result !== undefined) return `I have it: ${result}`
      const asked = call.messages.at(-1)?.text ?? ''
      const word = Object.keys(OPENINGS).find((each) => asked.includes(each)) ?? ''
      // The second attempt is asked the same as the first.
      if (word === 'trouble' && troubles++ % 2 === 1) return 'All is well after all.'
      return OPENINGS[word] ?? `You said: ${asked}`
    }, 'large'),
  })
}
