import { Throughline, defineAgent, defineApp, scriptedModel, tool } from 'throughline'
import { serve } from 'throughline/server'
import type { Extension } from 'throughline/server'
import { sha256 } from 'throughline/log'
import { uuidv7Source } from '../src/storage/index.ts'
import { pino } from 'pino'
import { z } from 'zod'
import { memoryLog } from './stream-servers.ts'
import type { StreamServer } from './stream-servers.ts'

const THREAD = 'thread'
/** As many characters as a record of the other servers. */
const TEXT = 'x'.repeat(300)
const newId = uuidv7Source(Date.now)

/** One run that is at work, read by clients of AG-UI that have joined its thread. */
export async function aguiRun(): Promise<StreamServer> {
  const log = memoryLog()
  const rests = tool({ inputSchema: z.object({}), execute: () => new Promise(() => undefined) })
  const model = scriptedModel(() => ({ toolCalls: [{ name: 'rests', input: {} }] }))
  const app = defineApp({
    name: 'desk',
    agents: [defineAgent({ name: 'agent', model, tools: { rests } })],
  })
  const id = () => newId()
  const throughline = await Throughline.start({ log, apps: [app], now: Date.now, id, sha256 })
  const turn = throughline.app('desk').runs.start(THREAD, { agent: 'agent', input: 'Hello' })
  await turn.started
  const started = await log.find(THREAD, turn.run)
  const origin = started?.origin ?? { source: 'model', depth: 0 }
  const server = await serve(throughline, {
    port: 0,
    logger: pino({ level: 'silent' }),
    extensions: [joinByGet],
  })
  return {
    port: Number(new URL(server.url).port),
    whole: '/bench/join',
    live: '/bench/join',
    async publish(count) {
      const now = Array.from({ length: count }, () => {
        const at = String(process.hrtime.bigint()).padStart(16, '0')
        const data = { name: 'noted', value: { at, text: TEXT } }
        return log.append(THREAD, [{ type: 'CUSTOM', data, origin }])
      })
      await Promise.all(now)
    },
  }
}

/** The readers of the benchmark only know GET. */
const joinByGet: Extension = {
  mount(hono) {
    let joined = 0
    hono.get('/bench/join', (context) => {
      const body = JSON.stringify({ threadId: THREAD, runId: `join-${joined++}`, messages: [] })
      const headers = { host: context.req.header('host') ?? '', 'content-type': 'application/json' }
      const request = new Request(new URL('/agui/agent/connect', context.req.url), {
        method: 'POST',
        headers,
        body,
      })
      return hono.fetch(request, context.env)
    })
  },
}
