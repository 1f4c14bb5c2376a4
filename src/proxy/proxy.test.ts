import { HttpAgent } from '@ag-ui/client'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { begin, call, framed, result, text, within } from '../programs/loopback.fixture.ts'
import { frameOf, interruptsIn, proxied, typesOf, user } from './proxy.fixture.ts'

test('the agent gets the page’s state, forwarded props, context, instructions, tools and files as they are', async () => {
  const { agent, send } = await proxied(() => text('m1', 'Hello'))
  const image = { type: 'image', source: { type: 'url', value: 'https://x.example/a.png' } }
  const context = [{ description: 'The open page', value: 'orders' }]
  const tools = [
    { name: 'show', description: 'Shows', parameters: { type: 'object', properties: {} } },
  ]
  const system = { id: 's1', role: 'system', content: 'Be short' }
  const said = { id: 'u1', role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }
  const { status } = await send({
    threadId: 'page-thread',
    state: { order: 4711 },
    forwardedProps: { command: { resume: 'yes' } },
    context,
    tools,
    messages: [system, said],
  })
  expect(status).toBe(200)
  expect(agent.requests[0]?.input).toMatchObject({
    threadId: 'page-thread',
    state: { order: 4711 },
    forwardedProps: { command: { resume: 'yes' } },
    context,
    tools,
    messages: [system, said],
  })
})

test('the agent’s state reaches the page while the run goes on, every other tab and the next request', async () => {
  const { agent, ask, connect } = await proxied((_, index) =>
    index > 0
      ? text('m2', 'Done')
      : [
          { type: 'STATE_SNAPSHOT', snapshot: { steps: ['look'], order: 1 } },
          ...text('m1', 'Looking'),
          { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/steps/-', value: 'pack' }] },
        ],
  )
  const { frames } = await ask('Go', { state: {} })
  const states = typesOf(frames).filter((type) => type.startsWith('STATE_'))
  expect(states.length).toBeGreaterThan(1)
  expect(typesOf(frames).lastIndexOf('STATE_DELTA')).toBeLessThan(frames.length - 1)
  expect(typesOf(frames)).not.toContain('CUSTOM')
  const held = { steps: ['look', 'pack'], order: 1 }
  expect(frameOf((await connect()).frames, 'STATE_SNAPSHOT')).toMatchObject({ snapshot: held })
  await ask('And now?')
  expect(agent.requests[1]?.input.state).toEqual(held)
})

test('a change of the state that the page made counts, and a page without a state takes nothing away', async () => {
  const { agent, ask, connect } = await proxied(() => text('m', 'Yes'))
  await ask('Go', { state: { theme: 'dark' } })
  await ask('Again', { state: {} })
  await ask('Again', { state: { theme: 'light' } })
  expect(agent.requests.map(({ input }) => input.state)).toEqual([
    { theme: 'dark' },
    { theme: 'dark' },
    { theme: 'light' },
  ])
  expect(frameOf((await connect()).frames, 'STATE_SNAPSHOT')).toMatchObject({
    snapshot: { theme: 'light' },
  })
})

test('messages, calls and results keep the agent’s ids, and one that the thread holds gets another', async () => {
  const { agent, ask, connect } = await proxied(() => [
    ...text('m1', 'I look.'),
    ...call('c1', 'look_up', { order: 1 }),
    result('c1', 'a lamp'),
    ...text('m2', 'A lamp.'),
  ])
  const first = user('What is it?')
  await ask('', { messages: [first] })
  const known = (await connect()).frames
  expect(frameOf(known, 'MESSAGES_SNAPSHOT')).toMatchObject({
    messages: [first, { id: 'm1', toolCalls: [{ id: 'c1' }] }, { id: 'c1-result' }, { id: 'm2' }],
  })
  const { frames } = await ask('Once more')
  const ids = frames.flatMap(({ type, messageId }) =>
    type === 'TEXT_MESSAGE_START' ? [messageId] : [],
  )
  expect(ids).toHaveLength(2)
  expect(ids).not.toContain('m1')
  // The agent hears its own ids, each once.
  await ask('And again')
  const heard = agent.requests[2]?.input.messages.map(({ id }) => id) ?? []
  expect(new Set(heard).size).toBe(heard.length)
  expect(heard).toContain('m1')
})

test('a tool of the page runs there, and its result goes on under the agent’s id of the call', async () => {
  const { agent, ask, send } = await proxied(({ input }) =>
    input.messages.at(-1)?.role === 'tool'
      ? text('m2', 'Thanks')
      : call('c1', 'photo', { of: 'lamp' }),
  )
  const tools = [{ name: 'photo', description: 'Takes one', parameters: { type: 'object' } }]
  const question = user('It is broken')
  const { frames } = await ask('', { messages: [question], tools })
  expect(frames.at(-1)).toMatchObject({ outcome: { pendingToolCallIds: ['c1'] } })
  const answer = { id: 'r1', role: 'tool', toolCallId: 'c1', content: 'photo.png' }
  const next = await send({ messages: [question, answer], tools, forwardedProps: { n: 2 } })
  expect(next.frames.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  expect(agent.requests[1]?.input.messages.at(-1)).toMatchObject(answer)
  expect(agent.requests[1]?.input.forwardedProps).toEqual({ n: 2 })
})

test.each([
  ['false', false],
  ['a text', 'sure'],
  ['a list', [1, 2]],
  ['an object of its own', { choice: 'a', note: 'n' }],
])(
  'an interrupt reaches the page as the agent asked it, and any answer goes back: %s',
  async (_, payload) => {
    const own = {
      reason: 'langgraph:interrupt',
      message: 'Which one?',
      metadata: { langgraph: { raw: { choices: ['a', 'b'] } } },
    }
    const asked = { id: 'i1', ...own }
    const { agent, ask, send } = await proxied(({ input }) =>
      input.resume
        ? text('m2', 'Thanks')
        : [
            ...text('m1', 'Hm'),
            { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [asked] } },
          ],
    )
    const { frames } = await ask('Go')
    const [interrupt] = interruptsIn(frames)
    expect(interrupt).toMatchObject(own)
    const interruptId = interrupt?.id
    const next = await send({ resume: [{ interruptId, status: 'resolved', payload }] })
    expect(next.frames.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
    expect(agent.requests[1]?.input.resume).toEqual([
      { interruptId: 'i1', status: 'resolved', payload },
    ])
  },
)

test('an approval with other arguments goes back to the agent whole', async () => {
  const { agent, ask, send } = await proxied(({ input }) =>
    input.resume
      ? [result('c1', 'paid 5'), ...text('m2', 'Paid')]
      : [
          ...call('c1', 'pay', { pounds: 9 }),
          {
            type: 'RUN_FINISHED',
            outcome: {
              type: 'interrupt',
              interrupts: [
                {
                  id: 'int-c1',
                  reason: 'tool_call',
                  toolCallId: 'c1',
                  responseSchema: {
                    type: 'object',
                    properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } },
                    required: ['approved'],
                  },
                },
              ],
            },
          },
        ],
  )
  const { frames } = await ask('Pay')
  const interrupts = interruptsIn(frames)
  expect(interrupts).toMatchObject([
    { toolCallId: 'c1', reason: 'tool_call', responseSchema: { properties: { editedArgs: {} } } },
  ])
  const payload = { approved: true, editedArgs: { pounds: 5 } }
  const given = [{ interruptId: interrupts[0]?.id, status: 'resolved', payload }]
  const next = await send({ resume: given })
  expect(next.frames.at(-1)).toMatchObject({ outcome: { type: 'success' } })
  expect(agent.requests[1]?.input.resume).toMatchObject([{ interruptId: 'int-c1', payload }])
})

test('headers of the page go on, the proxy’s own go with every request, and no secret is on record', async () => {
  const secret = 'tok-0123456789abcdef'
  const folder = newFolder()
  const { agent, ask } = await proxied(
    ({ headers }) =>
      text('m1', `You sent ${String(headers.authorization)} ${String(headers['x-key'])}`),
    {
      store: `sqlite:${join(folder, 'proxy.db')}`,
      headers: { 'X-Key': 'key-of-the-proxy' },
      forwardedHeaders: ['authorization'],
    },
  )
  const { text: shown } = await ask('Go', {}, { headers: { authorization: `Bearer ${secret}` } })
  expect(agent.requests[0]?.headers).toMatchObject({
    authorization: `Bearer ${secret}`,
    'x-key': 'key-of-the-proxy',
  })
  expect(shown).toContain('You sent Bearer [hidden] [hidden]')
  const stored = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))
  expect(stored.join('')).toContain('You sent Bearer [hidden]')
  for (const text of [shown, ...stored]) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain('key-of-the-proxy')
  }
})

test.each([
  ['its slashes escaped', (json: string) => json.replaceAll('/', '\\/')],
  [
    'each character escaped',
    (json: string) =>
      json.replaceAll(/[a-z/]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`),
  ],
])('a secret that the agent repeats with %s is hidden too', async (_how, written) => {
  const secret = 'tok/0123456789/abcdef"g'
  const { ask } = await proxied(
    ({ headers, input }) => ({
      write(response) {
        begin(response)
        const events = within(input, text('m1', `You sent ${String(headers.authorization)}.`))
        const lines = events.map((event) => `data: ${written(JSON.stringify(event))}\n\n`)
        response.end(lines.join(''))
      },
    }),
    { forwardedHeaders: ['authorization'] },
  )
  const { text: shown } = await ask('Go', {}, { headers: { authorization: `Bearer ${secret}` } })
  expect(shown).toContain('You sent Bearer [hidden].')
})

test('a stop ends the run here and tells the agent, with the name of the thread', async () => {
  const begun = Promise.withResolvers<void>()
  const { agent, ask, url } = await proxied(
    ({ input }) => ({
      write: (response) => {
        if (!('messages' in input)) return void response.end('{}')
        begin(response)
        response.write(framed(within(input, text('m1', 'Wait')).slice(0, -2)))
        begun.resolve()
      },
    }),
    (at) => ({ stopUrl: `${at}/stop/{threadId}` }),
  )
  const run = ask('Go', { threadId: 'a thread' })
  await begun.promise
  const stopped = await fetch(`${url}/stop/a%20thread`, { method: 'POST' })
  expect(await stopped.json()).toEqual({ stopped: true })
  const { frames } = await run
  expect(frames.at(-1)).toMatchObject({ outcome: { type: 'cancelled' } })
  await expect.poll(() => agent.requests.at(-1)?.path).toBe('/run/stop/a%20thread')
  expect(agent.requests.at(-1)?.input).toEqual({ runId: agent.requests[0]?.input.runId })
})

test('a stream of JSON lines is a stream, whatever its content type', async () => {
  const { ask } = await proxied(({ input }) => ({
    write: (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      const events = within(input, text('m1', 'By lines'))
      response.end(events.map((event) => JSON.stringify(event)).join('\n'))
    },
  }))
  const { frames } = await ask('Go')
  expect(frameOf(frames, 'TEXT_MESSAGE_CONTENT')).toMatchObject({ delta: 'By lines' })
  expect(frames.at(-1)).toMatchObject({ outcome: { type: 'success' } })
})

test('the stock client of a page sees what it sees of the bare agent', async () => {
  const events = [
    ...text('m1', 'I look.'),
    { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'look_up', parentMessageId: 'm1' },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"order":1}' },
    { type: 'TOOL_CALL_END', toolCallId: 'c1' },
    result('c1', 'a lamp'),
    { type: 'STATE_SNAPSHOT', snapshot: { order: 1 } },
    ...text('m2', 'A lamp.'),
  ]
  const { agent, url } = await proxied(() => events)
  const seen = async (at: string) => {
    const client = new HttpAgent({ url: at, threadId: 'stock' })
    client.addMessage({ id: 'u1', role: 'user', content: 'Go' })
    await client.runAgent()
    return { messages: client.messages, state: client.state as unknown }
  }
  expect(await seen(url)).toEqual(await seen(agent.url))
})
