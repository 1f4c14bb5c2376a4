import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../agents/index.ts'
import { scriptedModel } from '../models/index.ts'
import { sha256, uuidv7 } from '../storage/index.ts'
import { Throughline, defineApp } from './index.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

const clerk = defineAgent({
  name: 'clerk',
  model: scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? 'Paid.' : { toolCalls: [{ name: 'pay', input: {} }] },
  ),
  tools: { pay: { inputSchema: z.object({}), needsApproval: true, execute: () => 'paid' } },
})
const office = defineApp({
  name: 'office',
  agents: [clerk],
  index: {
    status: (_state, { status }) => status,
    agent: (_state, { agent }) => agent,
    asked: (_state, { firstPrompt }) => firstPrompt,
    said: (_state, { lastReply }) => lastReply,
  },
})

test('threads are found by what their agents do, without a state of their own', async () => {
  const log = memoryLog()
  const tl = await Throughline.start({ log, apps: [office], now: Date.now, id: uuidv7, sha256 })
  await tl.turn('chat', { agent: 'clerk', input: 'Pay the bill' }).result
  const { run } = await tl.turn('other', { agent: 'clerk', input: 'Pay the rent' }).result
  const waiting = { status: 'waiting', agent: 'clerk' }
  expect((await tl.threads({ where: { status: 'waiting' } })).threads).toMatchObject([
    { thread: 'other', values: { ...waiting, asked: 'Pay the rent' } },
    { thread: 'chat', values: { ...waiting, asked: 'Pay the bill' } },
  ])
  await tl.resume('other', { run, values: { approved: true } }).result
  expect((await tl.threads({ where: { status: 'idle' } })).threads).toMatchObject([
    { thread: 'other', values: { agent: 'clerk', asked: 'Pay the rent', said: 'Paid.' } },
  ])
  expect((await tl.threads({ where: { status: 'waiting' } })).threads).toHaveLength(1)
  await tl.close()
})
