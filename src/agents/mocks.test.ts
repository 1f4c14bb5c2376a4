import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { eventsOf, expectWhole, only, withAgents } from './runs.fixture.ts'

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 4, text: 4, reasoning: undefined },
}
const finish = (unified: 'stop' | 'tool-calls' = 'stop'): LanguageModelV4StreamPart => ({
  type: 'finish',
  usage,
  finishReason: { unified, raw: unified },
})
const text = (...deltas: readonly string[]): readonly LanguageModelV4StreamPart[] => [
  { type: 'text-start', id: '1' },
  ...deltas.map((delta) => ({ type: 'text-delta', id: '1', delta }) as const),
  { type: 'text-end', id: '1' },
]
const call = (input: string, toolCallId = 'call-1'): LanguageModelV4StreamPart => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'add',
  input,
})

/** A user's own mock, as the AI SDK's documentation has it: one stream after the other. */
function mock(...streams: readonly (readonly LanguageModelV4StreamPart[])[]): MockLanguageModelV4 {
  let at = 0
  return new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({ chunks: [...(streams[at++] ?? [finish()])] }),
    }),
  })
}

const add = tool({
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => ({ sum: a + b }),
})

const using = (model: MockLanguageModelV4 | MockLanguageModelV3) =>
  withAgents([defineAgent({ name: 'A', model, tools: { add } })])

const promptOf = ({ prompt }: Pick<LanguageModelV4CallOptions, 'prompt'>) => prompt

test('text of a user’s mock is shown as it streams', async () => {
  const { ask, log } = using(mock([...text('Hello', ', ', 'world!'), finish()]))
  const turn = ask('Hi')
  const deltas = only(await eventsOf(turn), 'chat_output').map(({ delta }) => delta)
  expect(deltas.join('')).toBe('Hello, world!')
  expect(await turn.result).toMatchObject({
    text: 'Hello, world!',
    usage: { total: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } },
  })
  await expectWhole(log)
})

test('a mock of the previous interface works unchanged', async () => {
  let at = 0
  const streams = [
    [call('{"a":1,"b":2}'), finish('tool-calls')],
    [...text('3'), finish()],
  ]
  const model = new MockLanguageModelV3({
    doStream: async () => ({
      // Both interfaces stream the same parts here.
      stream: simulateReadableStream({ chunks: (streams[at++] ?? []) as never[] }),
    }),
  })
  const { ask, log } = using(model)
  expect(await ask('1 + 2').result).toMatchObject({ text: '3', reason: 'success' })
  expect(model.doStreamCalls[1]?.prompt.at(-1)).toMatchObject({ role: 'tool' })
  await expectWhole(log)
})

test('a tool call without parts of its input is a call', async () => {
  const model = mock([call('{"a":1,"b":2}'), finish('tool-calls')], [...text('3'), finish()])
  const { ask, log } = using(model)
  const events = await eventsOf(ask('1 + 2'))
  expect(only(events, 'tool_call')).toMatchObject([{ arguments: '{"a":1,"b":2}' }])
  expect(only(events, 'tool_result')).toMatchObject([{ result: { sum: 3 } }])
  expect(model.doStreamCalls).toHaveLength(2)
  expect(model.doStreamCalls[1]?.prompt.slice(-2)).toMatchObject([
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'call-1', input: { a: 1, b: 2 } }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'call-1', output: { value: '{"sum":3}' } }],
    },
  ])
  await expectWhole(log)
})

const inPieces = (...deltas: readonly string[]): readonly LanguageModelV4StreamPart[] => [
  { type: 'tool-input-start', id: 'call-1', toolName: 'add' },
  ...deltas.map((delta) => ({ type: 'tool-input-delta', id: 'call-1', delta }) as const),
  { type: 'tool-input-end', id: 'call-1' },
]

test.each([
  ['in pieces', inPieces('{"a":1', ',"b":2}')],
  ['in pieces that stop early', inPieces('{"a":1')],
  ['in no pieces', inPieces()],
  ['in one empty piece', inPieces('')],
])('input that comes %s is on record once and whole', async (_name, pieces) => {
  const streams = [
    [...pieces, call('{"a":1,"b":2}'), finish('tool-calls')],
    [...text('3'), finish()],
  ]
  const { ask, log } = using(mock(...streams))
  const events = await eventsOf(ask('1 + 2'))
  expect(only(events, 'tool_call')).toMatchObject([{ arguments: '{"a":1,"b":2}' }])
  expect(only(events, 'tool_result')).toMatchObject([{ result: { sum: 3 } }])
  await expectWhole(log)
})

test('where a provider streams one input and sums up another, the tool runs with the recorded one', async () => {
  const stream = [...inPieces('{"a":1,"b":2}'), call('{"a":1,"b":999}'), finish('tool-calls')]
  const { ask } = using(mock(stream, [...text('ok'), finish()]))
  const events = await eventsOf(ask('1 + 2'))
  expect(only(events, 'tool_call')).toMatchObject([{ arguments: '{"a":1,"b":2}' }])
  expect(only(events, 'tool_result')).toMatchObject([{ result: { sum: 3 } }])
})

test('[C031] reasoning is shown, and its provider’s own data is given back on the next call', async () => {
  const signed = { anthropic: { signature: 'sig' } }
  const model = mock(
    [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'I must add.' },
      { type: 'reasoning-end', id: 'r', providerMetadata: signed },
      { ...call('{"a":1,"b":2}'), providerMetadata: { google: { thoughtSignature: 'x' } } },
      finish('tool-calls'),
    ] as readonly LanguageModelV4StreamPart[],
    [...text('3'), finish()],
  )
  const { ask, log } = using(model)
  const events = await eventsOf(ask('1 + 2'))
  expect(only(events, 'reasoning_content')).toMatchObject([{ delta: 'I must add.' }])
  const [, second] = model.doStreamCalls
  expect(second && promptOf(second).at(-2)).toEqual({
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'I must add.', providerOptions: signed },
      {
        type: 'tool-call',
        toolCallId: 'call-1',
        toolName: 'add',
        input: { a: 1, b: 2 },
        providerOptions: { google: { thoughtSignature: 'x' } },
      },
    ],
  })
  await expectWhole(log)
})

test('a thought without words keeps its provider’s data', async () => {
  const redacted = { anthropic: { redactedData: 'secret' } }
  const model = mock(
    [
      { type: 'reasoning-start', id: 'r', providerMetadata: redacted },
      { type: 'reasoning-end', id: 'r' },
      call('{"a":1,"b":2}'),
      finish('tool-calls'),
    ],
    [...text('3'), finish()],
  )
  const { ask, log } = using(model)
  await ask('1 + 2').result
  const [, second] = model.doStreamCalls
  expect(second && promptOf(second).at(-2)?.content[0]).toMatchObject({
    type: 'reasoning',
    providerOptions: redacted,
  })
  await expectWhole(log)
})

test('an error in the middle of a stream is tried again, and the record of the second attempt names it', async () => {
  const model = mock(
    [...text('Half an ans'), { type: 'error', error: new Error('overloaded') }],
    [...text('A whole answer'), finish()],
  )
  const { ask, log } = using(model)
  const turn = ask('Go')
  const events = await eventsOf(turn)
  expect(only(events, 'chat_output').map(({ attempt, delta }) => [attempt, delta])).toEqual([
    [1, 'Half an ans'],
    [2, 'A whole answer'],
  ])
  expect(only(events, 'completion_end').map(({ finishReason }) => finishReason)).toEqual([
    'provider',
    'stop',
  ])
  expect(await turn.result).toMatchObject({ reason: 'success', text: 'A whole answer' })
  await expectWhole(log)
})

test('tool calls of an attempt that failed are not run, and the turn does not wait for them', async () => {
  let ran = 0
  const counted = tool({ inputSchema: z.object({}), execute: () => ++ran })
  const asking = {
    type: 'tool-call',
    toolCallId: 'call-1',
    toolName: 'counted',
    input: '{}',
  } as const
  const model = mock(
    [asking, { type: 'error', error: new Error('overloaded') }],
    [asking, finish('tool-calls')],
    [...text('done'), finish()],
  )
  const { ask, log } = withAgents([defineAgent({ name: 'A', model, tools: { counted } })])
  const events = await eventsOf(ask('Go'))
  expect(ran).toBe(1)
  expect(only(events, 'tool_call')).toHaveLength(1)
  expect(only(events, 'tool_error')).toEqual([])
  // The model is not told of a call that it never finished asking for.
  expect(model.doStreamCalls[1]?.prompt.at(-1)?.role).toBe('user')
  expect(model.doStreamCalls[2]?.prompt.filter(({ role }) => role === 'tool')).toHaveLength(1)
  await expectWhole(log)
})

test('an error that is no use to repeat is not repeated', async () => {
  const fatal = Object.assign(new Error('no such model'), { isRetryable: false })
  const model = mock([{ type: 'error', error: fatal }], [...text('never'), finish()])
  const { ask, log } = using(model)
  expect(await ask('Go').result).toMatchObject({
    reason: 'error',
    error: { code: 'provider', message: expect.stringContaining('no such model') },
  })
  expect(model.doStreamCalls).toHaveLength(1)
  await expectWhole(log)
})

test('parts of unknown kinds, and what the provider does itself, are passed over', async () => {
  const odd = [
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: 'x' },
    { type: 'from-the-future', toolCallId: 'call-1' },
    { type: 'raw', rawValue: {} },
    { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
    { type: 'tool-input-start', id: 'p', toolName: 'web_search', providerExecuted: true },
    { type: 'tool-input-delta', id: 'p', delta: '{}' },
    {
      type: 'tool-call',
      toolCallId: 'p',
      toolName: 'web_search',
      input: '{}',
      providerExecuted: true,
    },
    { type: 'tool-result', toolCallId: 'p', toolName: 'web_search', result: {} },
    ...text('Found'),
    finish(),
  ] as readonly unknown[] as readonly LanguageModelV4StreamPart[]
  const { ask, log } = using(mock(odd))
  const turn = ask('Go')
  const events = await eventsOf(turn)
  expect(await turn.result).toMatchObject({ reason: 'success', text: 'Found' })
  expect(events.filter(({ type }) => type.startsWith('tool_'))).toEqual([])
  await expectWhole(log)
})

test('a mock that finishes without counts is counted as unknown', async () => {
  const bare = { type: 'finish' } as unknown as LanguageModelV4StreamPart
  const { ask } = using(mock([...text('Hi'), bare]))
  const { usage: used } = await ask('Go').result
  expect(used.total).toMatchObject({ calls: 1, unreported: 1 })
  expect(used.total).not.toHaveProperty('inputTokens')
})

test('the model is given its tools as JSON Schema, and a bound of output', async () => {
  const model = mock([...text('Hi'), finish()])
  await using(model).ask('Go').result
  expect(model.doStreamCalls[0]).toMatchObject({
    maxOutputTokens: 4_096,
    tools: [
      {
        type: 'function',
        name: 'add',
        inputSchema: { type: 'object', required: ['a', 'b'] },
      },
    ],
  })
})

test('two texts around a tool call are one message, and the call comes where it came', async () => {
  const stream = [
    ...text('Before. '),
    call('{"a":1,"b":2}'),
    { type: 'text-start', id: '2' } as const,
    { type: 'text-delta', id: '2', delta: 'After.' } as const,
    finish('tool-calls'),
  ]
  const model = mock(stream, [...text('3'), finish()])
  const { ask, log } = using(model)
  const events = await eventsOf(ask('Go'))
  expect(
    only(events, 'chat_output')
      .map(({ delta }) => delta)
      .join(''),
  ).toContain('Before.')
  const content = model.doStreamCalls[1]?.prompt.at(-2)?.content
  expect(JSON.stringify(content)).toContain('Before.')
  expect(JSON.stringify(content)).toContain('After.')
  await expectWhole(log)
})
