import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { run, say, serveAgui } from '../server/agui-server.fixture.ts'
import { DurableAgent } from './index.ts'

test('the stock client joins a turn at work in a second tab, and a stop ends it on the server for both', async () => {
  const { url } = await serveAgui()
  const first = new DurableAgent({ url: `${url}/agui/teller`, threadId: randomUUID() })
  say(first, 'tell me')
  let begun = () => {}
  const hasBegun = new Promise<void>((resolve) => (begun = resolve))
  const running = run(first, {}, { onTextMessageContentEvent: () => begun() })
  await hasBegun
  const { url: address, threadId } = first
  const second = new DurableAgent({ url: address, threadId })
  const outcomes: unknown[] = []
  const noted = {
    onRunFinishedEvent: ({ event }: { event: { outcome?: unknown } }) =>
      void outcomes.push(event.outcome),
  }
  const joining = second.connectAgent({}, noted)
  await expect.poll(() => second.messages.length).toBe(2)
  second.abortRun()
  await Promise.all([joining, running])
  expect(outcomes).toEqual([{ type: 'cancelled' }])
  expect(first.messages).toEqual(second.messages)
})

test('a copy is a durable agent too, with the same address, headers and fetch, and can stop', async () => {
  const asked: string[] = []
  const fetched = async (input: string | URL | Request) => {
    asked.push(String(input))
    return new Response('{}')
  }
  const headers = { authorization: 'Bearer a' }
  const agent = new DurableAgent({ url: '/agui/desk', threadId: 't', headers, fetch: fetched })
  const copy = agent.clone()
  expect(copy).toBeInstanceOf(DurableAgent)
  copy.abortRun()
  expect(asked).toEqual(['/agui/desk/stop/t'])
  expect(copy).toMatchObject({ url: '/agui/desk', threadId: 't', headers, fetch: fetched })
})

test('a stop that cannot be sent leaves the run', async () => {
  const { url, gate } = await serveAgui()
  const cutOff: typeof fetch = (input, init) =>
    String(input).includes('/stop/')
      ? Promise.reject(new TypeError('no network'))
      : fetch(input, init)
  const agent = new DurableAgent({
    url: `${url}/agui/teller`,
    threadId: randomUUID(),
    fetch: cutOff,
  })
  say(agent, 'tell me')
  await run(agent, {}, { onTextMessageContentEvent: () => agent.abortRun() })
  expect(agent.isRunning).toBe(false)
  gate.open()
})
