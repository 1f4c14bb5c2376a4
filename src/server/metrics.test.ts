import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../agents/index.ts'
import { defineDomain } from '../domain/index.ts'
import { scriptedModel } from '../models/index.ts'
import { open } from '../open.ts'
import { routes } from './index.ts'
import type { RoutesOptions } from './index.ts'
import { quiet } from './mounted-routes.fixture.ts'

const { event, domain } = defineDomain<{ readonly sold: number }>()
const shop = domain({
  name: 'shop',
  initial: { sold: 0 },
  events: {
    sold: event({
      schema: z.object({ to: z.string() }),
      by: [{ source: 'ui' }],
      guard: ({ sold }) =>
        sold === 0 ? undefined : { refused: 'precondition', detail: 'sold to Ada' },
      reduce: ({ sold }) => ({ sold: sold + 1 }),
    }),
  },
})
const desk = defineAgent({ name: 'desk', model: scriptedModel(() => 'Hello Ada.') })
const broken = defineAgent({
  name: 'broken',
  model: scriptedModel(() => {
    throw new Error('Ada said no')
  }),
})

async function served(options: RoutesOptions = {}) {
  const prices = { 'throughline/scripted': { input: 1, output: 2 } }
  const tl = await open({ store: 'memory:', domain: shop, agents: [desk, broken], prices })
  const http = routes(tl, { ...quiet, metrics: true, ...options })
  onTestFinished(() => {
    http.close()
    return tl.close()
  })
  const get = (path: string, headers: Record<string, string> = {}) =>
    http.fetch(
      new Request(`http://localhost${path}`, { headers: { host: 'localhost', ...headers } }),
    )
  const metrics = async () => (await get('/metrics')).text()
  return { tl, http, get, metrics }
}

test('the operator reads turns by outcome, tokens, cost, appends and refusals', async () => {
  const { tl, metrics } = await served()
  await tl.turn('a', { agent: 'desk', input: 'I am Ada' }).result
  await tl.turn('a', { agent: 'broken', input: 'I am Ada' }).result.catch(() => undefined)
  await tl.propose('b', [{ type: 'sold', data: { to: 'Ada' } }])
  await tl.propose('b', [{ type: 'sold', data: { to: 'Ada' } }])
  const text = await metrics()
  expect(text).toContain('throughline_runs_total{agent="desk",outcome="success"} 1\n')
  expect(text).toContain('throughline_runs_total{agent="broken",outcome="error"} 1\n')
  expect(text).toMatch(
    /throughline_tokens_total\{model="throughline\/scripted",kind="output"\} [1-9]/,
  )
  expect(text).toMatch(/throughline_cost_total\{model="throughline\/scripted"\} 0?\.?\d/)
  expect(text).toContain('throughline_refused_total{reason="precondition"} 1\n')
  expect(text).toMatch(/throughline_appends_total [1-9]/)
  expect(text).not.toContain('Ada')
})

test('every line is one of the text format of Prometheus', async () => {
  const { tl, get } = await served()
  await tl.turn('a', { agent: 'desk', input: 'Hello' }).result
  const answer = await get('/metrics')
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  const line =
    /^(?:# HELP \w+ .+|# TYPE \w+ (?:counter|gauge)|\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? [\d.e+-]+)$/
  const lines = (await answer.text()).trimEnd().split('\n')
  expect(lines.filter((each) => !line.test(each))).toEqual([])
  const names = lines.filter((each) => each.startsWith('# TYPE')).map((each) => each.split(' ')[2])
  expect(new Set(names).size).toBe(names.length)
})

test('open streams are counted while they are open', async () => {
  const { tl, get, metrics } = await served()
  await tl.propose('b', [{ type: 'sold', data: { to: 'Ada' } }])
  const stream = await get('/api/threads/b/events', { accept: 'text/event-stream' })
  await expect.poll(metrics).toContain('throughline_open_streams 1\n')
  await stream.body?.cancel()
  await expect.poll(metrics).toContain('throughline_open_streams 0\n')
})

test('nobody but the operator reads them, and without the option there are none', async () => {
  const { get } = await served({ operatorToken: 'operator-token' })
  expect((await get('/metrics')).status).toBe(401)
  expect((await get('/metrics', { authorization: 'Bearer operator-token' })).status).toBe(200)
  const without = await served({ metrics: false })
  expect((await without.get('/metrics')).status).toBe(404)
})

test('the feed has no lag once its threads were looked at', async () => {
  const { tl, metrics } = await served()
  await tl.propose('b', [{ type: 'sold', data: { to: 'Ada' } }])
  await expect.poll(metrics, { timeout: 5_000 }).toContain('throughline_feed_lag_seconds 0\n')
})
