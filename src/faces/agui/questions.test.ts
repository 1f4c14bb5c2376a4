import { expect, test } from 'vitest'
import { z } from 'zod'
import { asks, calls, runFinished } from '../../activity/turn-records.fixture.ts'
import { till, user } from '../../agents/pause.fixture.ts'
import { defineAgent, tool } from '../../agents/index.ts'
import type { ToolContext } from '../../agents/index.ts'
import { calling, replies, withAgents } from '../../agents/runs.fixture.ts'
import { isJsonArray, membersOf } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import { sha256 } from '../../platform/index.ts'
import { applied, readFrames } from './stock-client.fixture.ts'
import { joinText } from './streams.fixture.ts'
import { guide, notes } from './threads.fixture.ts'
import { TURN, agent, eventsOfTurn, startedBy, typesOf, waitData } from './turns.fixture.ts'
import type { WireEvent } from './wire-event.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

test('[E021] [E025] a client’s tool is left pending, and its result is not sent back to the client', async () => {
  const { ask, resume, log } = withAgents([guide()], { domain: notes })
  const { run, waits } = await ask('Where am I?').result
  const [wait] = waits
  const call = wait?.toolCallId ?? ''
  const first = await eventsOfTurn(log)
  const start = first.find(({ type }) => type === 'TOOL_CALL_START')
  expect(start).toMatchObject({ toolCallId: call, parentMessageId: `${call}_message` })
  expect(first.at(-1)).toMatchObject({
    type: 'RUN_FINISHED',
    outcome: { type: 'success', pendingToolCallIds: [call] },
  })
  expect(readFrames(await joinText(log)).at(-1)?.event).toMatchObject({
    outcome: { type: 'success', pendingToolCallIds: [call] },
  })
  await resume(run, { [call]: { city: 'Paris' } }).result
  const second = await eventsOfTurn(log)
  expect(typesOf(second)).not.toContain('TOOL_CALL_RESULT')
  // A client that joins gets it right after the message with the call.
  const { messages } = await applied(readFrames(await joinText(log)).map(({ event }) => event))
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
})

test('an approval is an interrupt with exactly the schema that frontends know', async () => {
  const { pay, paid } = till()
  const { ask, resume, log } = withAgents([user('payer', ['pay', pay], { amount: 5 })])
  const { run, waits } = await ask('Pay').result
  const finished = (await eventsOfTurn(log)).at(-1)
  const interrupts = membersOf(finished?.['outcome'] ?? null)['interrupts']
  expect(interrupts).toEqual([
    {
      id: waits[0]?.id,
      reason: 'tool_call',
      message: 'Run pay({"amount":5})?',
      toolCallId: waits[0]?.toolCallId,
      responseSchema: {
        type: 'object',
        properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
        required: ['approved'],
      },
      metadata: expect.anything(),
    },
  ])
  // A client that joins finds the same question.
  const joined = readFrames(await joinText(log)).at(-1)?.event
  const bound = { 'tanstack:interruptBinding': expect.objectContaining({ interruptedRunId: 'r' }) }
  expect(membersOf(joined?.['outcome'] ?? null)['interrupts']).toMatchObject([
    { ...questionIn(interrupts), metadata: bound },
  ])
  await resume(run, { approved: true }).result
  expect(paid).toEqual([5])
  const after = await eventsOfTurn(log)
  expect(after.at(-1)).toMatchObject({ outcome: { type: 'success' } })
  expect(typesOf(after)).toContain('TOOL_CALL_RESULT')
  expect(readFrames(await joinText(log)).at(-1)?.event).toMatchObject({
    outcome: { type: 'success' },
  })
})

test('a question is bound to the run by the name that its reader gives it, as TanStack AI asks', async () => {
  const schema = z.object({ to: z.string(), b: z.int() })
  const { log } = await asked((ask) => ask(schema, { to: 'Who?', b: 'How many?' }))
  const expected = (interruptedRunId: string, question: JsonObject) => ({
    v: 1,
    kind: 'generic',
    interruptId: question['id'],
    interruptedRunId,
    generation: 0,
    responseSchemaHash: `sha256:${sha256(
      '{"properties":{"b":{"description":"How many?","maximum":9007199254740991,"minimum":-9007199254740991,"type":"integer"},' +
        '"to":{"description":"Who?","type":"string"}},"required":["to","b"],"type":"object"}',
    )}`,
  })
  const turn = (await eventsOfTurn(log)).at(-1)
  const joined = readFrames(await joinText(log, { runId: 'mine' })).at(-1)?.event
  for (const end of [turn, joined]) {
    const question = questionIn(membersOf(end?.['outcome'] ?? null)['interrupts'])
    expect(membersOf(question['metadata'] ?? null)['tanstack:interruptBinding']).toEqual(
      expected(String(end?.['runId']), question),
    )
  }
  expect(joined?.['runId']).toBe('mine')
})

test('a client’s tool and a question at once: the run ends with the question alone', async () => {
  const log = memoryLog()
  const outcome = {
    type: 'interrupt',
    interrupts: [
      { id: 'w-1', reason: 'client_tool', toolCallId: 'c-1' },
      {
        id: 'w-2',
        reason: 'input_required',
        toolCallId: 'c-2',
        metadata: { throughline: { requestKeys: { name: 'Your name?' } } },
      },
    ],
  }
  const finished = runFinished(agent, ['w-1', 'w-2'])
  await log.append('t', [
    startedBy('r'),
    ...calls(agent, 'c-1'),
    ...calls(agent, 'c-2'),
    { ...asks(agent, 'w-1', 'c-1'), data: waitData('w-1', 'c-1', 'client_tool') },
    asks(agent, 'w-2', 'c-2'),
    { ...finished, data: { ...membersOf(finished.data), outcome } },
  ])
  const events = await eventsOfTurn(log, { turn: TURN })
  expect(events.at(-1)).toMatchObject({
    outcome: {
      type: 'interrupt',
      interrupts: [
        {
          id: 'w-2',
          reason: 'input_required',
          responseSchema: {
            type: 'object',
            properties: { name: { description: 'Your name?' } },
            required: ['name'],
          },
        },
      ],
    },
  })
  expect(membersOf(events.at(-1)?.['outcome'] ?? null)['interrupts']).toHaveLength(1)
})

test('a question of a tool has the types of its values, also for a client that joins', async () => {
  const schema = z.object({ to: z.string(), pieces: z.int().min(1) })
  const { log } = await asked((ask) => ask(schema, { to: 'Who gets it?', pieces: 'How many?' }))
  const expected = {
    type: 'object',
    properties: {
      to: { type: 'string', description: 'Who gets it?' },
      pieces: { type: 'integer', minimum: 1, description: 'How many?' },
    },
    required: ['to', 'pieces'],
  }
  for (const event of [
    ...(await eventsOfTurn(log)),
    ...readFrames(await joinText(log)).map(({ event: each }) => each),
  ]) {
    if (event.type !== 'RUN_FINISHED') continue
    expect(schemaIn(event)).toMatchObject(expected)
    expect(schemaIn(event)).not.toHaveProperty('$schema')
  }
})

test('values that JSON Schema has no words for are asked for without types', async () => {
  const schema = z.object({ on: z.coerce.date() })
  const { log } = await asked((ask) => ask(schema, { on: 'When?' }))
  expect(schemaIn((await eventsOfTurn(log)).at(-1))).toEqual({
    type: 'object',
    properties: { on: { description: 'When?' } },
    required: ['on'],
  })
})

/** A thread in which a tool has asked a person. */
async function asked(execute: (ask: ToolContext['ask']) => Promise<unknown>) {
  const order = tool({
    inputSchema: z.object({}),
    execute: async (_input, { ask }) => execute(ask),
  })
  const clerk = defineAgent({ name: 'A', model: replies(calling(['order'])), tools: { order } })
  const setting = withAgents([clerk])
  await setting.ask('Go').result
  return setting
}

function questionIn(interrupts: Json | undefined): JsonObject {
  return isJsonArray(interrupts) ? membersOf(interrupts[0] ?? null) : {}
}

function schemaIn(event: WireEvent | undefined): Json | undefined {
  const interrupts = membersOf(event?.['outcome'] ?? null)['interrupts'] ?? null
  const [interrupt = null] = isJsonArray(interrupts) ? interrupts : []
  return membersOf(interrupt)['responseSchema']
}
