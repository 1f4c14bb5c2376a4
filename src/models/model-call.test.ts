import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import { MODEL_TEXT_MAX, OUTPUT_TOKENS_MAX, callModel, scriptedModel } from './index.ts'
import type { LanguageModel, ModelCall, ModelPart } from './index.ts'

const call: ModelCall = { system: 'Be brief', messages: [{ role: 'user', text: 'Hello' }] }

async function partsOf(model: LanguageModel, more: Partial<ModelCall> = {}): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of callModel(model, { ...call, ...more })) parts.push(part)
  return parts
}

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}
const text = (delta: string) => ({ type: 'text-delta', id: '0', delta }) as const
const finish = (unified: 'stop' | 'error' | 'content-filter' | 'tool-calls' = 'stop') =>
  ({ type: 'finish', usage, finishReason: { unified, raw: unified } }) as const

const image = {
  type: 'file',
  mediaType: 'image/png',
  data: { type: 'data', data: 'AAAA' },
} as const

function streaming(...chunks: readonly LanguageModelV4StreamPart[]): MockLanguageModelV4 {
  const stream = () => simulateReadableStream({ chunks: [...chunks] })
  return new MockLanguageModelV4({ doStream: async () => ({ stream: stream() }) })
}

test('a user’s own mock works unchanged, of either interface', async () => {
  const expected = [
    { type: 'text', delta: 'Hi' },
    {
      type: 'finish',
      reason: 'stop',
      usage: { provider: 'mock-provider', model: 'mock-model-id', inputTokens: 3 },
    },
  ]
  expect(await partsOf(streaming(text('Hi'), finish()))).toEqual(expected)
  const stream = simulateReadableStream({ chunks: [text('Hi'), finish()] })
  const older = new MockLanguageModelV3({ doStream: async () => ({ stream }) })
  expect(await partsOf(older)).toEqual(expected)
})

test('parts of kinds that are not known are skipped, and reasoning is not prose', async () => {
  const later = { type: 'from-the-future', delta: 'x' } as unknown as LanguageModelV4StreamPart
  const thought = { type: 'reasoning-delta', id: '1', delta: 'hm' } as const
  const parts = await partsOf(streaming(later, thought, text('Hi'), finish()))
  expect(parts.map(({ type }) => type)).toEqual(['reasoning', 'text', 'finish'])
})

test('the number of output tokens is always sent', async () => {
  const model = streaming(finish())
  await partsOf(model)
  expect(model.doStreamCalls[0]?.maxOutputTokens).toBe(OUTPUT_TOKENS_MAX)
})

test.each([
  ['an error part', [text('Hi'), { type: 'error', error: new Error('overloaded') }], 'provider'],
  ['no finish', [text('Hi')], 'truncated'],
  ['a finish for an error', [finish('error')], 'truncated'],
  ['a finish by a filter', [text('Hi'), finish('content-filter')], 'refused'],
  [
    'a finish for tool calls without a call',
    [text('Let me look.'), finish('tool-calls')],
    'truncated',
  ],
  ['an image alone', [image, finish()], 'files_only'],
  ['nothing at all', [], 'truncated'],
  ['too much text', [text('x'.repeat(MODEL_TEXT_MAX + 1))], 'too_large'],
] as const)('[M5] a stream with %s fails with a code', async (_name, chunks, code) => {
  await expect(partsOf(streaming(...chunks))).rejects.toMatchObject({ name: 'ModelError', code })
})

test('an image beside words leaves the words, and an image alone is not asked for again', async () => {
  const parts = await partsOf(streaming(text('A map:'), image, finish()))
  expect(parts.map(({ type }) => type)).toEqual(['text', 'finish'])
  await expect(partsOf(streaming(image, finish()))).rejects.toMatchObject({
    message: expect.stringContaining('a file alone (image/png)') as string,
    retryable: false,
  })
})

test.each([
  [{ message: 'slow down', statusCode: 429 }, 'slow down', true],
  [{ message: 'no account', isRetryable: false }, 'no account', false],
  [
    { type: 'error', error: { message: 'pay first', code: 'insufficient_quota' } },
    'pay first',
    false,
  ],
  [{ response: { error: { message: 'too long', status: 400 } } }, 'too long', false],
])(
  '[M5] an error part that is a plain object says why and whether to ask again',
  async (error, why, retryable) => {
    await expect(partsOf(streaming({ type: 'error', error }))).rejects.toMatchObject({
      code: 'provider',
      message: `Cannot finish the model call: ${why}`,
      retryable,
    })
  },
)

test('[M5] a model that fails before it speaks fails with a code', async () => {
  const model = scriptedModel(() => ({ fail: new Error('no key') }))
  await expect(partsOf(model)).rejects.toMatchObject({ code: 'provider' })
})

test('[M5] a provider that throws before it gives a promise fails with a code', async () => {
  const model = streaming(finish())
  model.doStream = () => {
    throw new Error('no key')
  }
  await expect(partsOf(model)).rejects.toMatchObject({ code: 'provider' })
})

test('[M5] a model that hangs is given up in time', async () => {
  const model = scriptedModel(() => ({ hang: true }))
  for (const bound of [{ timeoutMs: 20 }, { silenceMs: 20 }]) {
    await expect(partsOf(model, bound)).rejects.toMatchObject({ code: 'timeout' })
  }
})

test('a model that goes on writing may take longer than its silence may, and no longer than the whole', async () => {
  const slow = () => {
    const model = scriptedModel(() => ({ text: 'a b c d e f g h' }), { chunkDelayMs: 60 })
    return model
  }
  const parts = await partsOf(slow(), { silenceMs: 400 })
  expect(parts.at(-1)).toMatchObject({ type: 'finish' })
  await expect(partsOf(slow(), { silenceMs: 400, timeoutMs: 100 })).rejects.toMatchObject({
    code: 'timeout',
  })
})

test('a call that is stopped ends at once, before it starts or while it hangs', async () => {
  const model = scriptedModel(() => ({ hang: true }))
  await expect(partsOf(model, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'cancelled',
  })
  const stop = new AbortController()
  const parts = partsOf(model, { signal: stop.signal })
  setTimeout(() => stop.abort(), 5)
  await expect(parts).rejects.toMatchObject({ code: 'cancelled' })
})

test('the scripted model sees the prompt and counts its calls', async () => {
  const model = scriptedModel(
    ({ system, messages, index }) => `${system} ${messages.length} ${index}`,
  )
  const said = async () => (await partsOf(model)).map((part) => ('delta' in part ? part.delta : ''))
  expect((await said()).join('')).toBe('Be brief 1 0')
  expect((await said()).join('')).toBe('Be brief 1 1')
})

test('the scripted model answers without streaming too', async () => {
  const options = { prompt: [{ role: 'system' as const, content: 's' }] }
  const { content } = await scriptedModel(() => 'whole').doGenerate(options)
  expect(content).toEqual([{ type: 'text', text: 'whole' }])
  await expect(scriptedModel(() => ({ cut: 'half' })).doGenerate(options)).rejects.toThrow()
})

test('a call that is stopped ends at once, at whatever moment it is stopped', async () => {
  for (let ticks = 0; ticks < 40; ticks++) {
    const stop = new AbortController()
    const parts = partsOf(
      scriptedModel(() => ({ hang: true })),
      { signal: stop.signal },
    )
    const ended = expect(parts, `after ${ticks}`).rejects.toMatchObject({ code: 'cancelled' })
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
    stop.abort()
    await ended
  }
})

test('[M3] thoughts that a model writes at the beginning of its text are reasoning, however they are split', async () => {
  const told = async (written: string, chunks: readonly string[]) => {
    const all = await partsOf(streaming(...chunks.map(text), finish()))
    const of = (kind: string) =>
      all.map((part) => (part.type === kind && 'delta' in part ? part.delta : '')).join('')
    const ends = all.filter(({ type }) => type === 'reasoning_end').length
    expect(of('reasoning') + of('text'), written).not.toMatch(/^\s*<think>/)
    return [of('reasoning'), ends, of('text')]
  }
  for (const [written, thought, ends, said] of [
    [
      '<think>hm < </thin> a</think>\n\nHi <think>no</think>',
      'hm < </thin> a',
      1,
      '\n\nHi <think>no</think>',
    ],
    ['\n <think>never closed </think', 'never closed </think', 1, ''],
    ['<think></think>Hi', '', 1, 'Hi'],
    ['<think>a</think>\n<think>b</think> Hi', 'ab', 2, ' Hi'],
    ['<think>a</think>\n <thi', 'a', 1, '\n <thi'],
    ['<thinker>Hi', '', 0, '<thinker>Hi'],
    ['Hi <think>no</think>', '', 0, 'Hi <think>no</think>'],
    [' <thi', '', 0, ' <thi'],
  ] as const) {
    const expected = [thought, ends, said]
    expect(await told(written, [written])).toEqual(expected)
    expect(await told(written, written.split(''))).toEqual(expected)
    for (let cut = 1; cut < written.length; cut++) {
      expect(await told(written, [written.slice(0, cut), written.slice(cut)])).toEqual(expected)
    }
  }
})

test('a tool call ends thoughts that were written', async () => {
  const add = { type: 'tool-call', toolCallId: 'c', toolName: 'add', input: '{}' } as const
  const parts = await partsOf(streaming(text('<think>add</thi'), add, text('Hi'), finish()))
  expect(parts.map((part) => ('delta' in part ? `${part.type} ${part.delta}` : part.type))).toEqual(
    ['reasoning add', 'reasoning </thi', 'reasoning_end', 'tool_call', 'text Hi', 'finish'],
  )
})

test('text blocks of one answer are paragraphs, however they are split', async () => {
  const block = (
    id: string,
    ...deltas: readonly string[]
  ): readonly LanguageModelV4StreamPart[] => [
    { type: 'text-start', id },
    ...deltas.map((delta) => ({ type: 'text-delta', id, delta }) as const),
    { type: 'text-end', id },
  ]
  const textOf = async (...parts: readonly LanguageModelV4StreamPart[]) =>
    (await partsOf(streaming(...parts, finish())))
      .map((part) => (part.type === 'text' ? part.delta : ''))
      .join('')
  const said = 'I noted the job.\n\nWhat is the deposit?'
  expect(
    await textOf(...block('1', 'I noted', ' the job.'), ...block('2', 'What is the deposit?')),
  ).toBe(said)
  expect(
    await textOf(...block('1', 'I noted the job.'), ...block('2', '', 'W', 'hat is the deposit?')),
  ).toBe(said)
  expect(await textOf(...block('1', 'One\n'), ...block('2', 'two'))).toBe('One\ntwo')
  expect(await textOf(...block('1', 'One'), ...block('2', '\ntwo'))).toBe('One\ntwo')
})
