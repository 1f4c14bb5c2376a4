import { z } from 'zod'
import { expect, onTestFinished, test } from 'vitest'
import { defineAgent } from '../agents/index.ts'
import { ManualClock } from '../due-work/index.ts'
import type { ConsumerRow, Cursors, EventLog } from '../log/index.ts'
import { scriptedModel } from '../models/index.ts'
import { open } from '../open.ts'
import { openLog } from '../open-log.ts'
import { SpanIds, telemetry } from './index.ts'
import { CLOCKS_DIFFER_MAX_MS } from './sent-until.ts'
import { outline, recordingOtel } from './spans.fixture.ts'
import { sendSpans } from './telemetry.ts'
import type { TelemetryOptions } from './telemetry.ts'

const archive = defineAgent({
  name: 'archive',
  model: scriptedModel(() => 'Paid in May.', { chunkDelayMs: 5 }),
})
const refund = {
  description: 'Refunds',
  inputSchema: z.object({ to: z.string() }),
  needsApproval: true,
  execute: () => 'refunded',
}
const desk = defineAgent({
  name: 'desk',
  agents: [archive],
  tools: { refund },
  model: scriptedModel(({ messages }) => {
    const last = messages.at(-1)
    if (last?.role !== 'tool')
      return { toolCalls: [{ name: 'call_archive', input: { message: 'When?' } }] }
    if (last.text === 'refunded') return 'Done.'
    return { toolCalls: [{ name: 'refund', input: { to: 'Ada' } }] }
  }),
})
const broken = defineAgent({
  name: 'broken',
  model: scriptedModel(() => {
    throw new Error('Ada said no')
  }),
})

async function opened(log?: EventLog) {
  const store = log ?? (await openLog('memory:'))
  const tl = await open({ store, agents: [desk, broken] })
  onTestFinished(() => tl.close())
  return { tl, log: store }
}

function newCursors(): Cursors {
  const positions = new Map<string, string>()
  const rows = new Map<string, Map<string, number>>()
  return {
    load: async (consumer) => positions.get(consumer),
    open: async (consumer) =>
      [...(rows.get(consumer) ?? [])].map(([thread, dueAt]) => ({ thread, dueAt })),
    async save(consumer, position, saved: readonly ConsumerRow[]) {
      positions.set(consumer, position)
      const own = rows.get(consumer) ?? new Map<string, number>()
      rows.set(consumer, own)
      for (const { thread, dueAt } of saved) {
        if (dueAt === undefined) own.delete(thread)
        else own.set(thread, dueAt)
      }
    },
  }
}

async function sending(
  place: { readonly log: EventLog; readonly cursors?: Cursors },
  options: TelemetryOptions = {},
) {
  const { api, sent } = recordingOtel(options.ids)
  const spans = await sendSpans({ cursors: undefined, ...place }, options, api)
  onTestFinished(() => spans.close(0))
  return { spans, sent }
}

test('a turn is a tree of spans: the agent, its model calls, its tools and the agents that these call', async () => {
  const { tl, log } = await opened()
  const { sent } = await sending({ log })
  await tl.turn('case-1', { agent: 'desk', input: 'Ada wants her money' }).result
  await expect
    .poll(() => outline(sent))
    .toEqual([
      'invoke_agent desk',
      '  chat scripted',
      '  execute_tool call_archive',
      '    invoke_agent archive',
      '      chat scripted',
      '  chat scripted',
    ])
  const [top, chat, call] = sent
  expect(top?.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'desk',
    'gen_ai.conversation.id': 'case-1',
    'throughline.outcome': 'interrupt',
  })
  expect(chat?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'throughline',
    'gen_ai.request.model': 'scripted',
    'gen_ai.usage.input_tokens': expect.any(Number),
    'gen_ai.response.finish_reasons': ['tool-calls'],
  })
  expect(call?.attributes).toMatchObject({ 'gen_ai.tool.name': 'call_archive' })
  expect(sent.every(({ endTime }) => endTime !== undefined)).toBe(true)
})

test('a run that goes on after an answer is a tree of its own that links to the one that asked', async () => {
  const { tl, log } = await opened()
  const { sent } = await sending({ log })
  await tl.turn('case-1', { agent: 'desk', input: 'Ada wants her money' }).result
  const [wait] = (await tl.waits()).waits
  await tl.resume('case-1', { run: wait?.run ?? '', values: { approved: true } }).result
  await expect
    .poll(() => outline(sent).slice(6))
    .toEqual(['invoke_agent desk', '  execute_tool refund', '  chat scripted'])
  expect(sent[6]?.links).toEqual([{ context: sent[0]?.place }])
})

test('spans hold no words, unless asked to', async () => {
  const { tl, log } = await opened()
  const silent = await sending({ log })
  await tl.turn('case-1', { agent: 'desk', input: 'Ada wants her money' }).result
  await expect.poll(() => silent.sent.length).toBe(6)
  const text = JSON.stringify(silent.sent)
  for (const word of ['Ada', 'Paid', 'When?']) expect(text).not.toContain(word)
  await silent.spans.close()
  const { sent } = await sending({ log }, { words: true, since: 0 })
  await expect.poll(() => sent.length).toBe(6)
  expect(sent[0]?.attributes['gen_ai.input.messages']).toContain('Ada wants her money')
  expect(sent[2]?.attributes).toMatchObject({
    'gen_ai.tool.call.arguments': '{"message":"When?"}',
    'gen_ai.tool.call.result': 'Paid in May.',
  })
  expect(sent[4]?.attributes['gen_ai.output.messages']).toContain('Paid in May.')
})

test('what failed has the status of an error and its code, without the message', async () => {
  const { tl, log } = await opened()
  const { sent } = await sending({ log })
  await tl.turn('case-1', { agent: 'broken', input: 'Hello' }).result.catch(() => undefined)
  await expect.poll(() => sent[0]?.status).toBe(2)
  const chats = sent.filter(({ name }) => name.startsWith('chat'))
  expect(chats.length).toBeGreaterThan(0)
  expect(chats.every(({ status, attributes }) => status === 2 && attributes['error.type'])).toBe(
    true,
  )
  expect(JSON.stringify(sent)).not.toContain('Ada')
})

test('after a kill the next process sends what the last one had not saved as sent, under the same ids', async () => {
  const { tl, log } = await opened()
  const cursors = newCursors()
  const killed = await sending(
    { log, cursors: { ...cursors, save: () => Promise.resolve() } },
    { ids: new SpanIds(), since: 0 },
  )
  await tl.turn('case-1', { agent: 'desk', input: 'Hello' }).result
  await expect.poll(() => killed.sent.length).toBe(6)
  await killed.spans.close(0)
  const next = await sending({ log, cursors }, { ids: new SpanIds(), since: 0 })
  await expect.poll(() => next.sent.length).toBe(6)
  expect(next.sent.map(({ place }) => place)).toEqual(killed.sent.map(({ place }) => place))
})

test('a process that takes over sends what ended since, and nothing that was sent long before', async () => {
  const { tl, log } = await opened()
  const cursors = newCursors()
  const clock = new ManualClock(Date.now())
  const waiting = await sending({ log, cursors }, { clock })
  await waiting.spans.close()
  await tl.turn('case-1', { agent: 'desk', input: 'Hello' }).result
  const later = Date.now() + 2 * CLOCKS_DIFFER_MAX_MS
  await cursors.save('throughline.spans.sent', String(later), [])
  const next = await sending({ log, cursors }, { clock })
  await tl.turn('case-2', { agent: 'desk', input: 'Hello' }).result
  await next.spans.close()
  expect(next.sent).toEqual([])
})

test('spans whose export failed are sent again', async () => {
  const { tl, log } = await opened()
  const clock = new ManualClock(Date.now())
  let exports = 0
  const flush = () =>
    exports++ === 0 ? Promise.reject(new Error('no collector')) : Promise.resolve()
  const faults: unknown[] = []
  const { sent } = await sending(
    { log },
    { flush, clock, since: 0, onFault: (error) => void faults.push(String(error)) },
  )
  await tl.turn('case-1', { agent: 'desk', input: 'Hello' }).result
  await expect.poll(() => clock.advance(1_000) ?? faults).toEqual(['Error: no collector'])
  await expect.poll(() => clock.advance(60_000) ?? sent.length).toBe(12)
  expect(outline(sent.slice(6))).toEqual(outline(sent.slice(0, 6)))
})

test('the first start sends nothing that ended before it', async () => {
  const { tl, log } = await opened()
  await tl.turn('case-1', { agent: 'desk', input: 'Hello' }).result
  await new Promise((resolve) => setTimeout(resolve, 5))
  const { sent, spans } = await sending({ log })
  await tl.turn('case-2', { agent: 'desk', input: 'Hello' }).result
  await expect.poll(() => sent.length).toBe(6)
  await spans.close()
  expect(new Set(sent.map(({ attributes }) => attributes['gen_ai.conversation.id']))).toEqual(
    new Set(['case-2', undefined]),
  )
})

test('an option that there is not is refused', async () => {
  const { tl } = await opened()
  const options = { word: true } as unknown as TelemetryOptions
  await expect(telemetry(tl, options)).rejects.toMatchObject({ code: 'invalid_telemetry' })
})
