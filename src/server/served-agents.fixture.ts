import { pino } from 'pino'
import { z } from 'zod'
import { defineAgent, tool } from '../agents/index.ts'
import { scriptedModel } from '../models/index.ts'
import type { CallerEvent } from '../activity/index.ts'
import { Throughline, defineApp } from '../application/index.ts'
import type { EventLog } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { Tokens, serve } from './index.ts'
import { id, memoryLog, sha256 } from '../../test/memory-log.fixture.ts'

export interface ServedSetting {
  readonly log?: EventLog
  readonly operatorToken?: string
}

/** A clerk that asks an archive and pays only with approval, behind a real HTTP server. */
export async function serveAgents({ log: given, operatorToken }: ServedSetting = {}) {
  const log = given ?? memoryLog()
  const office = defineApp({ name: 'office', agents: [clerk(), sleeper(), greeter(), newcomer()] })
  const parts = { log, apps: [office], now: Date.now, id, sha256, retryDelayMs: 1 }
  const server = await serve(await Throughline.start(parts), {
    port: 0,
    tokens: new Tokens(['a secret']),
    store: 'memory',
    version: 'test',
    logger: pino({ level: 'silent' }),
    ...(operatorToken === undefined ? {} : { operatorToken }),
  })
  return { log, url: server.url, close: () => server.close() }
}

function clerk() {
  const archive = defineAgent({
    name: 'archive',
    description: 'Knows old cases.',
    model: scriptedModel(({ messages }) => `Found: ${messages.at(-1)?.text}`),
  })
  const pay = tool({
    inputSchema: z.object({ pounds: z.number() }),
    needsApproval: true,
    execute: ({ pounds }) => `Paid ${pounds}`,
  })
  const model = scriptedModel(({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return `I have it. ${last.text}.`
    const name = last?.text.includes('pay') ? 'pay' : 'call_archive'
    const input = name === 'pay' ? { pounds: 5 } : { message: 'case 7' }
    return { text: 'One moment.', toolCalls: [{ name, input }] }
  })
  return defineAgent({ name: 'clerk', model, tools: { pay }, agents: [archive] })
}

/** Says a little and never ends. */
function sleeper() {
  const rest = tool({
    inputSchema: z.object({}),
    execute: () => new Promise(() => undefined),
  })
  const model = scriptedModel(() => ({ text: 'Hm.', toolCalls: [{ name: 'rest', input: {} }] }))
  return defineAgent({ name: 'sleeper', model, tools: { rest } })
}

/** Fails in its first turn; its calls are repeated once. */
function newcomer() {
  let calls = 0
  const model = scriptedModel(() => (++calls > 2 ? 'Done.' : { fail: new Error('overloaded') }))
  return defineAgent({ name: 'newcomer', model })
}

/** Repeats what its notes say of the turn. */
function greeter() {
  return defineAgent({
    name: 'greeter',
    model: scriptedModel(({ messages }) => messages.at(-1)?.text ?? ''),
    notes: ({ first, bare }) => [`[first: ${first}, bare: ${bare}]`],
  })
}

export async function call(url: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Readonly<Record<string, Json>>
  return { status: response.status, body: answer }
}

/** One server-sent frame, as far as it concerns a reader of the caller's view. */
export interface Frame {
  readonly id?: number
  readonly event?: CallerEvent
}

/** Reads the caller's view of a thread until an event that `until` recognises, or to the end. */
export async function readFrames(
  url: string,
  until: (event: CallerEvent) => boolean,
): Promise<readonly Frame[]> {
  const response = await fetch(url, { headers: { accept: 'text/event-stream' } })
  const frames: Frame[] = []
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    const whole = text.split('\n\n')
    text = whole.pop() ?? ''
    frames.push(...whole.map(parseFrame))
    if (frames.some(({ event }) => event && until(event))) break
  }
  return frames
}

function parseFrame(text: string): Frame {
  const lines = new Map(
    text
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )
  const [id, data] = [lines.get('id'), lines.get('data')]
  return {
    ...(id === undefined ? {} : { id: Number(id) }),
    ...(data === undefined || lines.has('event') ? {} : { event: JSON.parse(data) as CallerEvent }),
  }
}
