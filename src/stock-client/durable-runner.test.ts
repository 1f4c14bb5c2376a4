import type { BaseEvent } from '@ag-ui/client'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { serveAgui } from '../server/agui-server.fixture.ts'
import { DurableAgent, DurableRunner } from './index.ts'

function runtime(url: string) {
  const agents = {
    clerk: new DurableAgent({ url: `${url}/agui/clerk` }),
    teller: new DurableAgent({ url: `${url}/agui/teller` }),
  }
  return { agents, runner: new DurableRunner(agents) }
}

/** What the runtime hands to its runner for a page's request. */
function asked(agent: DurableAgent, threadId: string, text: string) {
  const copy = agent.clone()
  const messages = [{ id: randomUUID(), role: 'user' as const, content: text }]
  copy.setMessages(messages)
  copy.threadId = threadId
  const input = { threadId, runId: randomUUID(), messages, tools: [], context: [], state: {} }
  return { agent: copy, input: { ...input, forwardedProps: {} } }
}

function collected(events: ReturnType<DurableRunner['run']>) {
  const seen: BaseEvent[] = []
  const ended = new Promise<void>((resolve, reject) => {
    events.subscribe({ next: (event) => void seen.push(event), complete: resolve, error: reject })
  })
  return { seen, ended, types: () => seen.map(({ type }) => String(type)) }
}

test('a page that joins by another runtime gets the thread, and the turn at work until it ends', async () => {
  const { url, gate } = await serveAgui()
  const threadId = randomUUID()
  const before = runtime(url)
  const running = collected(before.runner.run(asked(before.agents.teller, threadId, 'tell me')))
  await expect.poll(() => gate.waiting).toBe(1)
  const after = runtime(url)
  expect(await after.runner.isRunning({ threadId })).toBe(true)
  const joined = collected(after.runner.connect({ threadId, agentId: 'teller' }))
  await expect.poll(() => JSON.stringify(joined.seen)).toContain('Once upon a time')
  gate.open()
  await Promise.all([running.ended, joined.ended])
  expect(JSON.stringify(joined.seen)).toContain('The end.')
  expect(joined.types().at(-1)).toBe('RUN_FINISHED')
  expect(await after.runner.isRunning({ threadId })).toBe(false)
})

test('a stop by another runtime ends the run on the server, and a stop of a run that is over does nothing', async () => {
  const { url, gate } = await serveAgui()
  const threadId = randomUUID()
  const { agents, runner } = runtime(url)
  const request = asked(agents.teller, threadId, 'tell me')
  const running = collected(runner.run(request))
  await expect.poll(() => gate.waiting).toBe(1)
  const other = runtime(url).runner
  expect(await other.stop({ threadId, runId: randomUUID() })).toBe(false)
  expect(await other.stop({ threadId, runId: request.input.runId })).toBe(true)
  await running.ended
  expect(running.seen.at(-1)).toMatchObject({ outcome: { type: 'cancelled' } })
  expect(await other.stop({ threadId })).toBe(false)
})

test('a page that leaves stops nothing', async () => {
  const { url, gate } = await serveAgui()
  const threadId = randomUUID()
  const { agents, runner } = runtime(url)
  const page = runner.run(asked(agents.teller, threadId, 'tell me')).subscribe({})
  await expect.poll(() => gate.waiting).toBe(1)
  page.unsubscribe()
  gate.open()
  await expect.poll(() => runner.isRunning({ threadId })).toBe(false)
  const joined = collected(runner.connect({ threadId, agentId: 'teller' }))
  await joined.ended
  expect(JSON.stringify(joined.seen)).toContain('The end.')
})

test('a server that is away is told to the page as a run that failed', async () => {
  const { runner } = runtime('')
  const fetch = () => Promise.reject(new TypeError('no network'))
  const agent = new DurableAgent({ url: 'http://away/agui/teller', fetch })
  const running = collected(runner.run(asked(agent, randomUUID(), 'tell me')))
  await running.ended
  expect(running.seen).toMatchObject([{ type: 'RUN_ERROR', code: 'unreachable' }])
})

test('an agent that the runner was not given is refused by its name', () => {
  const { runner } = runtime('')
  expect(() => runner.connect({ threadId: 't', agentId: 'nobody' })).toThrow('"nobody"')
})
