import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { defineApp, defineDomain, open } from 'throughline'
import { AgentStreamParser } from 'throughline/inline'
import { serve } from 'throughline/server'
import { z } from 'zod'
import { agentText, chunksOf } from '../../bench/agent-text.fixture.ts'
import { memoryLog, ourAgent, ours } from '../../bench/turn-engines.ts'
import { openOnAQuickDisk } from '../../src/storage/slow-disk.fixture.ts'

/** Does a scenario once; returns the bytes that its reader got, if it has one. */
export type Work = () => Promise<number | undefined>

interface Scenario {
  readonly name: string
  /** Prepares what is not counted. */
  readonly prepare: () => Promise<Work>
  /** A server's own work comes between: only what its reader gets is counted. */
  readonly countsBytesOnly?: true
}

const MEGABYTE = 1_000_000
const ONE_ANSWER = [{ chunks: ['Page 1 says that all is well.'] }]
const DELTAS = 1_000
const LONG_ANSWER = [{ chunks: Array.from({ length: DELTAS }, () => 'abcd') }]
const APPENDS = 20
const FOLDER_RESTS_MS = 200

export const scenarios: readonly Scenario[] = [
  { name: 'a turn', prepare: () => turnOf(ONE_ANSWER) },
  { name: `a turn of ${DELTAS} deltas`, prepare: () => turnOf(LONG_ANSWER) },
  { name: 'a click with a rule', prepare: click },
  { name: 'a megabyte of prose in 4 characters', prepare: () => parsed(4, 0) },
  { name: 'a megabyte of prose in 64 characters', prepare: () => parsed(64, 0) },
  { name: 'a megabyte, a tenth of it tags, in 64 characters', prepare: () => parsed(64, 0.1) },
  { name: `${APPENDS} appends to SQLite`, prepare: appends },
  {
    name: 'a turn that a page follows',
    prepare: () => followed('/api/threads/t/events'),
    countsBytesOnly: true,
  },
  {
    name: 'a turn of an AG-UI client',
    prepare: () => followed('/agui/lead'),
    countsBytesOnly: true,
  },
]

async function turnOf(script: Parameters<typeof ourAgent>[0]): Promise<Work> {
  const ask = ours(ourAgent(script))()
  await ask()
  return async () => {
    await ask()
    return undefined
  }
}

async function parsed(size: number, share: number): Promise<Work> {
  const chunks = chunksOf(agentText(MEGABYTE, share).text, size)
  return async () => {
    const parser = new AgentStreamParser()
    for (const chunk of chunks) parser.feed(chunk)
    parser.flush()
    return undefined
  }
}

async function click(): Promise<Work> {
  const { event, domain } = defineDomain<{ readonly count: number; readonly seen: number }>()
  const clicks = domain({
    name: 'clicks',
    initial: { count: 0, seen: 0 },
    events: {
      clicked: event({
        schema: z.strictObject({ text: z.string() }),
        by: [{ source: 'ui' }, { source: 'model' }],
        reduce: (state) => ({ ...state, count: state.count + 1 }),
      }),
      seen: event({
        schema: z.strictObject({}),
        by: [{ source: 'rule' }],
        reduce: (state) => ({ ...state, seen: state.seen + 1 }),
      }),
    },
    rules: [
      {
        name: 'R1',
        propose: ({ count, seen }) => (count > seen ? [{ type: 'seen', data: {} }] : []),
      },
    ],
  })
  const tl = await open({
    store: memoryLog(),
    apps: [defineApp({ name: 'clicks', domain: clicks })],
  })
  const click = async () => {
    await tl.propose('t', [{ type: 'clicked', data: { text: 'Yes, I agree to this.' } }])
    return undefined
  }
  await click()
  return click
}

async function appends(): Promise<Work> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-costs-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // A disk that is slow for a moment would move the commits to a thread of their own.
  const log = openOnAQuickDisk(join(folder, 'log.db'))
  const append = async () => {
    for (let n = 0; n < APPENDS; n++) await log.append('t', [{ type: 'counted', data: n }])
    return undefined
  }
  // The files of a folder that changed a moment ago are looked at before each append.
  await append()
  await wait(FOLDER_RESTS_MS)
  await append()
  return append
}

/** The bytes of one turn, over HTTP. */
async function followed(path: string): Promise<Work> {
  const tl = await open({ store: memoryLog(), agents: [ourAgent(ONE_ANSWER)] })
  const server = await serve(tl, { port: 0 })
  const isAgui = path.startsWith('/agui')
  return async () => {
    const url = `${server.url}${path}`
    if (isAgui) return (await (await fetch(url, aguiRun())).arrayBuffer()).byteLength
    await tl.turn('t', { agent: 'lead', input: 'Hi' }).result
    const answer = await fetch(url, { headers: { accept: 'application/json' } })
    return (await answer.arrayBuffer()).byteLength
  }
}

function aguiRun(): RequestInit {
  const messages = [{ id: randomUUID(), role: 'user', content: 'Hi' }]
  const run = { threadId: randomUUID(), runId: randomUUID(), messages }
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ ...run, state: {}, tools: [], context: [], forwardedProps: {} }),
  }
}
