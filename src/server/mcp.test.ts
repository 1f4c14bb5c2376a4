import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { paid, serveAgui } from './agui-server.fixture.ts'
import { callOf, mcpClient, newThread } from './mcp-client.fixture.ts'
import { recordsOf } from '../../test/memory-log.fixture.ts'

for (const protocol of ['auto', 'legacy'] as const) {
  const version = protocol === 'auto' ? '2026-07-28' : '2025-11-25'

  test(`[MCP ${version}] agents are tools: a turn, its words as progress, and a second turn in its thread`, async () => {
    const { url } = await serveAgui({ mcp: true })
    const client = await mcpClient(url, { protocol })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'ask_clerk',
      'answer_clerk',
      'ask_teller',
      'answer_teller',
    ])
    const first = await callOf(client, 'ask_clerk', { message: 'hello' })
    expect(first).toMatchObject({ status: 'success', text: 'Heard: hello', questions: [] })
    expect(first.progress.join('')).toBe('Heard: hello')
    const { thread } = first
    const second = await callOf(client, 'ask_clerk', { message: 'again', thread })
    expect(second).toMatchObject({ thread, status: 'success', text: 'Heard: again' })
  })

  test(`[MCP ${version}] a client that shows no forms gets the questions and answers them with the answer tool`, async () => {
    const { url, log } = await serveAgui({ mcp: true })
    paid.length = 0
    const client = await mcpClient(url, { protocol })
    const asked = await callOf(client, 'ask_clerk', { message: 'please pay' })
    expect(asked).toMatchObject({ status: 'waiting' })
    expect(asked.questions).toMatchObject([{ kind: 'approval', message: 'Run pay({"pounds":5})?' }])
    const { thread } = asked
    const [question] = asked.questions
    const again = await callOf(client, 'ask_clerk', { message: 'hello?', thread })
    expect(again).toMatchObject({ status: 'waiting', questions: asked.questions })
    expect(again.said).toContain('was not taken')
    const answers = [{ id: question?.id, approved: true }]
    const done = await callOf(client, 'answer_clerk', { thread, answers })
    expect(done).toMatchObject({ status: 'success', text: 'I have it: Paid 5' })
    const repeated = await callOf(client, 'answer_clerk', { thread, answers })
    expect(repeated).toMatchObject({ status: 'success', text: 'I have it: Paid 5' })
    const other = [{ id: question?.id, approved: false }]
    const late = await callOf(client, 'answer_clerk', { thread, answers: other })
    expect(late).toMatchObject({ isError: true })
    expect(late.said).toContain('not_waiting')
    expect(paid).toEqual([5])
    const started = (await recordsOf(log, thread)).filter(({ type }) => type === 'RUN_STARTED')
    expect(JSON.stringify(started.at(-1))).toContain('mcp-answer:')
  })

  test(`[MCP ${version}] a request that comes again under its id is asked once, and a reader that left joins its turn`, async () => {
    const { url, log, gate } = await serveAgui({ mcp: true })
    const client = await mcpClient(url, { protocol })
    const request = { message: 'tell', id: 'one' }
    const left = new AbortController()
    const cut = callOf(client, 'ask_teller', {
      ...request,
      options: { signal: left.signal },
    })
    const gone = expect(cut).rejects.toThrow()
    while (gate.waiting === 0) await pause(5)
    left.abort()
    await gone
    await pause(50)
    const joined = [callOf(client, 'ask_teller', request), callOf(client, 'ask_teller', request)]
    await pause(50)
    gate.open()
    const [first, second] = await Promise.all(joined)
    expect(first).toMatchObject({ status: 'success', text: 'The end.' })
    expect(first?.progress.join('')).toBe('Once upon a time, é…The end.')
    expect(second).toMatchObject({ thread: first?.thread, text: 'The end.' })
    const records = await recordsOf(log, first?.thread ?? '')
    expect(records.filter(({ type }) => type === 'RUN_STARTED')).toHaveLength(1)
    const changed = await callOf(client, 'ask_teller', { ...request, message: 'else' })
    expect(changed.said).toContain('invalid_request')
  })
}

test('[MCP 2026-07-28] a person approves in a form of the client, declines, closes it, and answers a question', async () => {
  const { url, log } = await serveAgui({ mcp: true })
  paid.length = 0
  const shown: unknown[] = []
  const answers = [
    { action: 'accept' as const, content: { approved: true } },
    { action: 'decline' as const },
    { action: 'cancel' as const },
    { action: 'accept' as const, content: { to: 'Ann' } },
  ]
  const client = await mcpClient(url, {
    person(message, schema) {
      shown.push([message, schema])
      return answers.shift() ?? { action: 'cancel' }
    },
  })
  const approved = await callOf(client, 'ask_clerk', { message: 'please pay' })
  expect(approved).toMatchObject({ status: 'success', text: 'I have it: Paid 5' })
  const declined = await callOf(client, 'ask_clerk', { message: 'please pay' })
  expect(declined).toMatchObject({ status: 'success' })
  const closed = await callOf(client, 'ask_clerk', { message: 'please pay' })
  expect(closed).toMatchObject({ status: 'waiting', questions: [{ kind: 'approval' }] })
  expect(paid).toEqual([5])
  const sent = await callOf(client, 'ask_clerk', { message: 'order it' })
  expect(sent).toMatchObject({ status: 'success', text: 'I have it: Sent to Ann' })
  expect(shown).toMatchObject([
    ['Run pay({"pounds":5})?', { required: ['approved'] }],
    [expect.anything(), { required: ['approved'] }],
    [expect.anything(), { required: ['approved'] }],
    ['Who gets it?', { properties: { to: { type: 'string' } }, required: ['to'] }],
  ])
  const started = (await recordsOf(log, approved.thread)).filter(
    ({ type }) => type === 'RUN_STARTED',
  )
  expect(JSON.stringify(started.at(-1))).toContain('mcp-elicited:')
})

test('threads are resources: what was said, the state, and the records', async () => {
  const { url } = await serveAgui({ mcp: true })
  const client = await mcpClient(url)
  const thread = newThread()
  await callOf(client, 'ask_clerk', { message: 'remember milk', thread })
  const { resources } = await client.listResources()
  expect(resources.map(({ name }) => name)).toEqual([thread])
  const uri = resources[0]?.uri ?? ''
  const read = async (of: string) => {
    const { contents } = await client.readResource({ uri: uri + of })
    return JSON.parse((contents[0] as { readonly text: string }).text) as object
  }
  expect(await read('')).toMatchObject({
    thread,
    app: 'desk',
    messages: [
      { role: 'user', text: 'remember milk' },
      { role: 'assistant', text: 'I have it: Noted' },
    ],
    waits: [],
  })
  expect(await read('/state')).toMatchObject({ state: { notes: ['remember milk'] } })
  expect(await read('/audit')).toMatchObject({ verdict: { ok: true }, after: -1 })
  await expect(client.readResource({ uri: 'throughline://threads/nowhere/state' })).rejects.toThrow(
    'There is no such thread',
  )
})

test('a call that is repeated after another client has answered shows what came of it', async () => {
  const { url } = await serveAgui({ mcp: true })
  const client = await mcpClient(url)
  const request = { message: 'please pay', thread: newThread(), id: 'one' }
  const { thread, questions } = await callOf(client, 'ask_clerk', request)
  const answers = [{ id: questions[0]?.id, approved: true }]
  await callOf(client, 'answer_clerk', { thread, answers })
  const again = await callOf(client, 'ask_clerk', request)
  expect(again).toMatchObject({ status: 'success', text: 'I have it: Paid 5', questions: [] })
})

test('a call that is repeated after its question was given up has ended as cancelled', async () => {
  const { url, throughline } = await serveAgui({ mcp: true })
  const client = await mcpClient(url)
  const request = { message: 'please pay', thread: newThread(), id: 'one' }
  const { thread } = await callOf(client, 'ask_clerk', request)
  await throughline.cancel(thread)
  const again = await callOf(client, 'ask_clerk', request)
  expect(again).toMatchObject({ status: 'cancelled', questions: [] })
})

test('a thread of any name is a resource', async () => {
  const { url } = await serveAgui({ mcp: true })
  const client = await mcpClient(url)
  for (const thread of ['a/b', 'ü %41 ?x=1#y']) {
    await callOf(client, 'ask_clerk', { message: 'hello', thread })
    const { resources } = await client.listResources()
    const uri = resources.find(({ name }) => name === thread)?.uri ?? ''
    const { contents } = await client.readResource({ uri: `${uri}/audit` })
    expect(JSON.stringify(contents)).toContain('Heard: hello')
  }
  await expect(client.readResource({ uri: 'throughline://threads/%zz' })).rejects.toThrow(
    'There is no such thread',
  )
})

test('a message to a thread that waits puts its question before the person, and says that it was not taken', async () => {
  const { url, log } = await serveAgui({ mcp: true })
  const thread = newThread()
  const first = await mcpClient(url)
  await callOf(first, 'ask_clerk', { message: 'please pay', thread })
  const person = () => ({ action: 'accept' as const, content: { approved: true } })
  const client = await mcpClient(url, { person })
  const second = await callOf(client, 'ask_clerk', { message: 'hello', thread })
  expect(second).toMatchObject({ status: 'success', text: 'I have it: Paid 5' })
  expect(second.said).toContain('The message was not taken')
  expect(JSON.stringify(await recordsOf(log, thread))).not.toContain('hello')
})
