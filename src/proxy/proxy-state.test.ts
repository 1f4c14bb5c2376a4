import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { newFolder } from '../../test/folders.fixture.ts'
import { defineAgent, tool } from '../agents/index.ts'
import { defineDomain } from '../domain/index.ts'
import { membersOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { scriptedModel } from '../models/index.ts'
import { open } from '../open.ts'
import { text } from '../programs/loopback.fixture.ts'
import { serve } from '../server/index.ts'
import { loadDomain } from './proxy-domain.ts'
import { openProxy } from './open-proxy.ts'
import { PROXY_DEFAULTS, frameOf, interruptsIn, pageOf, proxied } from './proxy.fixture.ts'

const { event, domain } = defineDomain<Json>()
const carts = domain({
  name: 'carts',
  initial: { items: 0 },
  events: {
    items_counted: event({
      schema: z.strictObject({ items: z.number().max(10) }),
      by: [{ source: 'model' }],
      reduce: (_state, { items }) => ({ items }),
    }),
  },
})

const ofCarts = {
  domain: carts,
  state: (state: Json) => state,
  stateEvents: (state: Json) => [
    { type: 'items_counted', data: { items: membersOf(state)['items'] } },
  ],
}

test('the gate decides about the agent’s state by the rules of a domain', async () => {
  const { agent, ask, connect } = await proxied(
    (_, index) => [
      { type: 'STATE_SNAPSHOT', snapshot: { items: index === 0 ? 3 : 11 } },
      ...text(`m${index}`, 'Counted'),
    ],
    { domain: ofCarts },
  )
  await ask('Count')
  const { frames } = await ask('Count again', { state: { items: 7 } })
  expect(frames.at(-1)).toMatchObject({ outcome: { type: 'success' } })
  // Neither the page's change nor the agent's counts: the domain gives none to pages, and takes ten at most.
  expect(agent.requests[1]?.input.state).toEqual({ items: 3 })
  expect(frameOf((await connect()).frames, 'STATE_SNAPSHOT')).toMatchObject({
    snapshot: { items: 3 },
  })
})

test('a module for --state-events says what it lacks', async () => {
  const file = join(newFolder(), 'rules.mjs')
  writeFileSync(file, 'export const domain = {}')
  await expect(loadDomain(file)).rejects.toThrow(/let it export `domain` and `stateEvents`/)
  const broken = join(newFolder(), 'broken.mjs')
  writeFileSync(broken, 'throw new Error("no rules today")')
  await expect(loadDomain(broken)).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('it cannot be loaded: no rules today') as string,
  })
})

test('another Throughline behind the proxy: its approvals, tools and ids are its own', async () => {
  const pay = tool({
    inputSchema: z.object({ pounds: z.number() }),
    needsApproval: true,
    execute: ({ pounds }) => `Paid ${pounds}`,
  })
  const model = scriptedModel(({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return last.text
    return { text: 'I pay.', toolCalls: [{ name: 'pay', input: { pounds: 5 } }] }
  })
  const behind = await open({
    store: 'memory:',
    agents: [defineAgent({ name: 'clerk', model, tools: { pay } })],
  })
  const server = await serve(behind, { port: 0 })
  const proxy = await openProxy({ ...PROXY_DEFAULTS, agent: `${server.url}/agui/clerk` })
  onTestFinished(async () => {
    await proxy.close()
    await server.close()
    await behind.close()
  })
  const page = pageOf(proxy.url)
  const { frames } = await page.ask('Pay', { threadId: 'pays' })
  const [interrupt] = interruptsIn(frames)
  expect(interrupt).toMatchObject({ reason: 'tool_call', toolCallId: expect.any(String) as string })
  const payload = { approved: true }
  const resume = [{ interruptId: interrupt?.id, status: 'resolved', payload }]
  const next = await page.send({ threadId: 'pays', resume })
  expect(next.frames.at(-1)).toMatchObject({ outcome: { type: 'success' } })
  expect(next.text).toContain('Paid 5')
  const bare = await pageOf(`${server.url}/agui/clerk`).connect({ threadId: 'pays' })
  const known = await page.connect({ threadId: 'pays' })
  const ids = (text: string) =>
    [...text.matchAll(/"id":"([^"]+)","role":"assistant"/g)].map(([, id]) => id)
  expect(ids(known.text)).toEqual(ids(bare.text))
})
