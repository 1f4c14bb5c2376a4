import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Json } from '../json/index.ts'
import { clientOf, run, say, serveAgui } from './agui-server.fixture.ts'

async function get(url: string, query: Readonly<Record<string, string>>) {
  const answer = await fetch(`${url}?${new URLSearchParams(query).toString()}`)
  return { status: answer.status, body: (await answer.json()) as Record<string, Json> }
}

test('TanStack AI gets the messages of a thread, each result in the message of its call', async () => {
  const { url } = await serveAgui()
  const threadId = randomUUID()
  const agent = clientOf(url, 'clerk', threadId)
  say(agent, 'remember')
  await run(agent)
  const { status, body } = await get(`${url}/agui/clerk`, { threadId })
  expect(status).toBe(200)
  expect(body).toMatchObject({ activeRun: null, interrupts: null, page: { truncated: false } })
  expect(body['messages']).toMatchObject([
    { role: 'user', parts: [{ type: 'text', content: 'remember' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'tool-call', name: 'note', state: 'complete', output: 'Noted' },
        { type: 'tool-result', content: 'Noted', state: 'complete' },
      ],
    },
    { role: 'assistant', parts: [{ type: 'text', content: 'I have it: Noted' }] },
  ])
})

test('an open question comes with the run that asked it, to which it is bound', async () => {
  const { url } = await serveAgui()
  const threadId = randomUUID()
  const agent = clientOf(url, 'clerk', threadId)
  say(agent, 'pay')
  await run(agent, { runId: 'run-1' })
  const { body } = await get(`${url}/agui/clerk`, { threadId })
  expect(body['interrupts']).toMatchObject({
    runId: 'run-1',
    pending: [{ metadata: { 'tanstack:interruptBinding': { interruptedRunId: 'run-1' } } }],
  })
})

test('a turn at work is named, and its stream brings all that its agent says', async () => {
  const { url, gate } = await serveAgui()
  const threadId = randomUUID()
  const agent = clientOf(url, 'teller', threadId)
  say(agent, 'tell me')
  const running = run(agent)
  await expect.poll(() => gate.waiting).toBe(1)
  const { body } = await get(`${url}/agui/teller`, { threadId })
  expect(body['messages']).toMatchObject([{ role: 'user' }])
  const { runId } = body['activeRun'] as { readonly runId: string }
  const stream = await fetch(
    `${url}/agui/teller?${new URLSearchParams({ offset: '-1', runId }).toString()}`,
  )
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  gate.open()
  const text = await stream.text()
  expect(text).toContain('Once upon a time')
  expect(text).toContain('The end.')
  expect(text).toContain('RUN_FINISHED')
  await running
  expect(await get(`${url}/agui/teller`, { threadId })).toMatchObject({ body: { activeRun: null } })
})

test('a page asks for the newest messages, and then for those before them', async () => {
  const { url } = await serveAgui()
  const threadId = randomUUID()
  const agent = clientOf(url, 'clerk', threadId)
  for (const text of ['one', 'two']) {
    say(agent, text)
    await run(agent)
  }
  const said = (body: Readonly<Record<string, Json>>) =>
    JSON.stringify(body['messages']).match(/"content":"[^"]+"/g)
  const newest = await get(`${url}/agui/clerk`, { threadId, limit: '2' })
  expect(said(newest.body)).toEqual(['"content":"two"', '"content":"Heard: two"'])
  const { cursor } = newest.body['page'] as { readonly cursor: string }
  const older = await get(`${url}/agui/clerk`, { threadId, limit: '2', before: cursor })
  expect(said(older.body)).toEqual(['"content":"one"', '"content":"Heard: one"'])
  expect(older.body['page']).toEqual({ truncated: false })
})

test('a thread that nobody has begun is empty, and a request that names none is refused', async () => {
  const { url } = await serveAgui()
  const empty = await get(`${url}/agui/clerk`, { threadId: randomUUID() })
  expect(empty.body).toMatchObject({ messages: [], activeRun: null, interrupts: null })
  expect(await get(`${url}/agui/clerk`, {})).toMatchObject({
    status: 400,
    body: { code: 'invalid_query' },
  })
})

test('a run of another thread or agent is none, whatever its name says', async () => {
  const { url } = await serveAgui()
  const threadId = randomUUID()
  const agent = clientOf(url, 'clerk', threadId)
  say(agent, 'one')
  await run(agent)
  for (const runId of ['', 'x', `${randomUUID()}/${threadId}`, `${randomUUID()}/other`]) {
    expect(await get(`${url}/agui/clerk`, { runId, offset: '-1' })).toMatchObject({ status: 404 })
  }
})
