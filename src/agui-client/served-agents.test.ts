import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { paid, serveAgui } from '../server/agui-server.fixture.ts'
import { AguiThread } from './index.ts'
import type { AguiThreadOptions } from './index.ts'
import { recordsOf } from '../../test/memory-log.fixture.ts'

const user = (content: string) => ({ id: randomUUID(), role: 'user' as const, content })

async function serving(agent: string, options: Partial<AguiThreadOptions> = {}) {
  const served = await serveAgui()
  const url = `${served.url}/agui/${agent}`
  const removed: unknown[] = []
  const open = (more: Partial<AguiThreadOptions> = {}) =>
    new AguiThread({ url, onRemoved: (each) => removed.push(each), ...options, ...more })
  return { ...served, thread: open(), open, removed }
}

test('an agent that we serve is run and joined, its sub-agent in the tree, nothing of it unknown', async () => {
  const { thread, open, removed } = await serving('clerk')
  await expect(thread.run({ messages: [user('ask the archive')] })).resolves.toMatchObject({
    status: 'finished',
  })
  const { messages, subagents, state, pendingCalls } = thread.getSnapshot()
  expect(messages.at(-1)?.content).toBe('I have it: Found: case 7')
  expect(subagents).toMatchObject([{ name: 'archive', state: { status: 'finished' } }])
  expect(state).toEqual({ notes: [] })
  expect(pendingCalls).toEqual([])
  const other = open({ threadId: thread.threadId })
  await expect(other.connect()).resolves.toMatchObject({ status: 'finished' })
  expect(other.getSnapshot().messages).toEqual(messages)
  expect(other.getSnapshot().state).toEqual(state)
  expect(removed).toEqual([])
})

test('[E008] a client that joined a running turn stops it, and both clients see it cancelled', async () => {
  const { thread, open, log } = await serving('teller')
  const ending = thread.run({ messages: [user('tell')] })
  await vi.waitFor(() =>
    expect(
      thread.getSnapshot().openSteps.length + thread.getSnapshot().messages.length,
    ).toBeGreaterThan(1),
  )
  await vi.waitFor(async () => expect(await log.head(thread.threadId)).toBeGreaterThan(4))
  const other = open({ threadId: thread.threadId })
  const joined = other.connect()
  await vi.waitFor(() =>
    expect(other.getSnapshot().messages.at(-1)?.content).toBe('Once upon a time, é…'),
  )
  expect(other.getSnapshot().run.status).toBe('running')
  await expect(other.stop()).resolves.toBe(true)
  for (const each of [ending, joined]) {
    await expect(each).resolves.toMatchObject({ status: 'cancelled' })
  }
  await expect(other.stop()).resolves.toBe(false)
})

test('an approval is given in one client and joined by another', async () => {
  paid.length = 0
  const { thread, open } = await serving('clerk')
  await expect(thread.run({ messages: [user('please pay')] })).resolves.toMatchObject({
    status: 'interrupted',
    interrupts: [{ reason: 'tool_call' }],
  })
  expect(thread.getSnapshot().pendingCalls).toEqual([])
  const other = open({ threadId: thread.threadId })
  await expect(other.connect()).resolves.toMatchObject({ status: 'interrupted' })
  const [interrupt] = other.getSnapshot().interrupts
  await expect(
    other.run({
      resume: [
        { interruptId: interrupt?.id ?? '', status: 'resolved', payload: { approved: true } },
      ],
    }),
  ).resolves.toMatchObject({ status: 'finished' })
  expect(other.getSnapshot().messages.at(-1)?.content).toBe('I have it: Paid 5')
  expect(paid).toEqual([5])
})

test('[E025] a tool of the page pends, and its result goes with the next run', async () => {
  const tools = [{ name: 'show', description: 'Shows it', parameters: { type: 'object' } }]
  const { thread } = await serving('clerk', { tools })
  await thread.run({ messages: [user('show me')] })
  const [pending] = thread.getSnapshot().pendingCalls
  expect(pending).toMatchObject({ function: { name: 'show', arguments: '{"what":"a map"}' } })
  const toolCallId = pending?.id ?? ''
  const result = { id: randomUUID(), role: 'tool' as const, toolCallId, content: 'on the screen' }
  await thread.run({ messages: [result] })
  expect(thread.getSnapshot().pendingCalls).toEqual([])
  expect(thread.getSnapshot().messages.map(({ content }) => content)).toEqual([
    'show me',
    undefined,
    'on the screen',
    'I have it: on the screen',
  ])
})

test('the same run twice shows once and is done once', async () => {
  const { thread, log } = await serving('clerk')
  const runId = 'run-1'
  await thread.run({ runId, messages: [user('hello')] })
  const { messages } = thread.getSnapshot()
  await expect(thread.run({ runId })).resolves.toMatchObject({ status: 'finished', runId })
  expect(thread.getSnapshot().messages).toEqual(messages)
  const records = await recordsOf(log, thread.threadId)
  expect(records.filter(({ type }) => type === 'RUN_STARTED')).toHaveLength(1)
})

test('[E042] the state follows the thread delta by delta', async () => {
  const { thread } = await serving('clerk')
  const directEvents = [{ type: 'noted', data: { text: 'milk' } }]
  await thread.run({ messages: [user('hello')], forwardedProps: { directEvents } })
  expect(thread.getSnapshot()).toMatchObject({ state: { notes: ['milk'] }, isStateCurrent: true })
})
