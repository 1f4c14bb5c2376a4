import { expect, test } from 'vitest'
import { z } from 'zod'
import { tool } from '../agents/index.ts'
import { withAgents } from '../agents/runs.fixture.ts'
import { remoteAgent } from './index.ts'
import type { Forwarded } from './index.ts'
import { call, loopback, text } from './loopback.fixture.ts'

const page = {
  state: { theme: 'dark' },
  forwardedProps: { command: { resume: 'yes' } },
  systemMessages: [{ id: 's', role: 'system', content: 'Be short' }],
  header: (name: string) => (name === 'authorization' ? 'Bearer of-the-page' : undefined),
} as const

/** What an agent gets with both of its requests: between them a tool of ours runs. */
async function requestsOf(forward?: Forwarded) {
  const { url, requests } = await loopback(({ input }) =>
    input.messages.at(-1)?.role === 'tool' ? text('m2', 'Done') : call('c1', 'add', { a: 1 }),
  )
  const add = tool({ inputSchema: z.object({ a: z.number() }), execute: ({ a }) => a + 1 })
  const clerk = remoteAgent({
    name: 'clerk',
    url,
    tools: { add },
    headers: { Authorization: 'Bearer of-ours' },
    forwardedProps: { ours: true },
    ...(forward && { forward }),
  })
  const { runs } = withAgents([clerk])
  await runs.start('t', { agent: 'clerk', input: 'Go', page }).result
  return requests
}

test('without `forward` an agent on another server gets nothing of the page’s request', async () => {
  const [first] = await requestsOf()
  expect(first?.input).toMatchObject({ state: {}, forwardedProps: { ours: true } })
  expect(first?.input.threadId).not.toBe('t')
  expect(first?.input.messages.map(({ role }) => role)).toEqual(['user'])
  expect(first?.headers.authorization).toBe('Bearer of-ours')
})

test('the page’s state and forwarded props go with the first step alone, headers and instructions with each', async () => {
  const [first, second] = await requestsOf({
    state: true,
    forwardedProps: true,
    systemMessages: true,
    ids: true,
    headers: ['Authorization'],
  })
  expect(first?.input).toMatchObject({
    threadId: 't',
    state: page.state,
    forwardedProps: page.forwardedProps,
  })
  expect(second?.input).toMatchObject({ threadId: 't', state: {}, forwardedProps: { ours: true } })
  for (const asked of [first, second]) {
    expect(asked?.headers.authorization).toBe('Bearer of-the-page')
    expect(asked?.input.messages[0]).toEqual(page.systemMessages[0])
  }
})

test.each([
  [{ forward: { header: [] } }, 'did you mean "headers"?'],
  [{ forward: { headers: ['Transfer-Encoding'] } }, 'is never forwarded'],
  [{ forward: { headers: ['Content-Type'] } }, "is the request's own"],
  [{ forward: { headers: ['two words'] } }, 'that HTTP does not allow'],
  [{ forward: { headers: Array(33).fill('x') as string[] } }, 'at most 32 go'],
  [{ stopUrl: 'https://other.example/stop' }, 'its stopUrl is not of the origin'],
])('%j is refused where the agent is defined', (parts, why) => {
  const define = () =>
    remoteAgent({ name: 'clerk', url: 'https://agents.example/run', ...(parts as object) })
  expect(define).toThrow(expect.objectContaining({ code: 'invalid_agent' }) as Error)
  expect(define).toThrow(why)
})
