import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import type { EventLog } from '../log/index.ts'
import { restarted } from '../log/restarted-log.fixture.ts'
import { scriptedModel } from '../models/index.ts'
import type { AgentLimits } from './define/agent-limits.ts'
import type { ModelMessage, ScriptedReply } from '../models/index.ts'
import {
  calling,
  eventsOf,
  expectWhole,
  only,
  overheard,
  streamingModel,
  withAgents,
} from './runs.fixture.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

/** An agent that numbers its answers and keeps its prompts; a summary is asked for in one message. */
function remembering(
  limits: Partial<AgentLimits> = {},
  summary: ScriptedReply = 'They counted.',
  log: EventLog = memoryLog(),
) {
  const prompts: (readonly ModelMessage[])[] = []
  const model = scriptedModel(({ system, messages }) => {
    if (system.startsWith('Sum up')) return summary
    prompts.push(messages)
    return `Answer ${prompts.length}`
  })
  const agent = defineAgent({ name: 'A', model, limits })
  const texts = () => (prompts.at(-1) ?? []).map(({ text }) => text)
  return { ...withAgents([agent], { log }), prompts, texts }
}

test('[C030] [C031] the history of a session is part of each next turn', async () => {
  const { ask, texts, log } = remembering()
  for (const input of ['One', 'Two', 'Three']) await ask(input).result
  expect(texts()).toEqual(['One', 'Answer 1', 'Two', 'Answer 2', 'Three'])
  await expectWhole(log)
})

test('[C030] the history outlives the process', async () => {
  const log = memoryLog()
  await remembering({}, '', log).ask('One').result
  const { ask, texts } = remembering({}, '', log)
  await ask('Two').result
  expect(texts()).toEqual(['One', 'Answer 1', 'Two'])
})

test('[C031] a reset makes agents forget, and the log keeps everything', async () => {
  const { ask, runs, texts, records } = remembering()
  await ask('One').result
  await runs.resetHistory('t')
  await ask('Two').result
  expect(texts()).toEqual(['Two'])
  expect(JSON.stringify(await records())).toContain('"One"')
})

test('each turn’s sub-agents begin anew, with what they are asked and nothing else', async () => {
  const prompts: string[][] = []
  const child = defineAgent({
    name: 'child',
    model: scriptedModel(({ messages }) => {
      prompts.push(messages.map(({ text }) => text))
      return 'ok'
    }),
  })
  const top = defineAgent({
    name: 'top',
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? 'done' : calling(['call_child', { message: 'Do it' }]),
    ),
    agents: [child],
  })
  const { ask, gate } = withAgents([top])
  await ask('One').result
  await ask('Two').result
  expect(prompts).toEqual([['Do it'], ['Do it']])
  expect((await gate.snapshot('t')).conversation.nested).toEqual({})
})

test('a history that no longer fits is summed up by the agent’s own model, once', async () => {
  const { ask, texts, log, records } = remembering({ historyChars: 60 })
  for (let n = 1; n <= 12; n++) {
    await ask(`Question number ${n}`).result
    expect(texts().join('').length).toBeLessThan(180)
    expect(texts().at(-1)).toContain(`Question number ${n}`)
  }
  expect(texts()[0]).toContain('[What was said before, summed up: They counted.]')
  // Each summary takes the place of the one before.
  expect(texts().join('').split('They counted').length).toBe(2)
  const compactions = (await records()).filter(({ data }) =>
    JSON.stringify(data).includes('throughline.history_compacted'),
  )
  expect(compactions.length).toBeLessThan(12)
  await expectWhole(log)
})

test('one message that is longer than all that fits does not keep the old ones from being summed up', async () => {
  const { ask, texts } = remembering({ historyChars: 60 })
  await ask('First').result
  await ask('An old question that is long enough').result
  await ask(`New: ${'x'.repeat(100)}`).result
  expect(texts()[0]).toContain('summed up')
  expect(texts()[0]).toContain('New: xxx')
  expect(texts().join('')).not.toContain('An old question')
})

test('results of one long step are summed up from the step before them on', async () => {
  const prompts: (readonly ModelMessage[])[] = []
  const look = tool({ inputSchema: z.object({}), execute: () => 'y'.repeat(50) })
  const model = scriptedModel(({ system, messages }) => {
    if (system.startsWith('Sum up')) return 'much was found'
    prompts.push(messages)
    return prompts.length < 6 ? calling(['look']) : 'done'
  })
  const agent = defineAgent({ name: 'A', model, tools: { look }, limits: { historyChars: 150 } })
  const { ask, log } = withAgents([agent])
  expect(await ask('Look around').result).toMatchObject({ text: 'done' })
  for (const messages of prompts) {
    expect(messages.map(({ text }) => text).join('').length).toBeLessThan(300)
  }
  expect(prompts.at(-1)?.[0]?.text).toContain('much was found')
  await expectWhole(log)
})

test('a history that is longer than the model’s window is summed up once, and the turn goes on', async () => {
  let calls = 0
  const model = scriptedModel(({ system, messages }) => {
    if (system.startsWith('Sum up')) return 'They counted.'
    calls++
    const length = messages.reduce((sum, { text }) => sum + text.length, 0)
    const statusCode = 400
    const fail = Object.assign(new Error('prompt is too long: 90 tokens > 80 maximum'), {
      statusCode,
    })
    return length > 300 ? { fail } : `Answer ${calls}`
  })
  const { ask, log, records } = withAgents([defineAgent({ name: 'A', model })])
  for (let n = 1; n <= 4; n++) {
    const input = `Question ${n} ${'x'.repeat(80)}`
    expect(await ask(input).result).toMatchObject({ reason: 'success' })
  }
  expect(JSON.stringify(await records()).split('history_compacted')).toHaveLength(2)
  await expectWhole(log)
})

test('a turn whose request alone is longer than the window ends with the reason', async () => {
  const fail = Object.assign(new Error('too long'), { code: 'context_length_exceeded' })
  const { ask, log } = withAgents([
    defineAgent({ name: 'A', model: scriptedModel(() => ({ fail })) }),
  ])
  const turn = ask('A question')
  expect(only(await eventsOf(turn), 'turn_end')).toMatchObject([
    { reason: 'error', error: { code: 'context_exceeded' } },
  ])
  await turn.result
  await expectWhole(log)
})

test.each([
  ['fails', { fail: new Error('overloaded') }],
  ['says nothing', ' '],
  ['is cut off', { cut: 'They cou' }],
] as const)('a summary that %s leaves a word that something is missing', async (_name, summary) => {
  const { ask, texts, log } = remembering({ historyChars: 60 }, summary)
  const turns = []
  for (let n = 1; n <= 4; n++) turns.push(await ask(`Question number ${n}`).result)
  expect(turns.map(({ reason }) => reason)).toEqual(turns.map(() => 'success'))
  expect(texts()[0]).toContain('[Left out to make room: ')
  await expectWhole(log)
})

test('a summary that a person stops is no reason to forget', async () => {
  const { ask, runs, records, log } = remembering({ historyChars: 60 }, { hang: true })
  for (const input of ['A question that is long', 'Another question that is long']) {
    await ask(input).result
  }
  const turn = ask('And a third one that is long')
  const events = []
  for await (const event of turn) {
    events.push(event)
    if (event.type === 'completion_start' && event.step === 'compact') await runs.cancel('t')
  }
  expect(await turn.result).toMatchObject({ reason: 'cancelled' })
  expect(JSON.stringify(await records())).not.toContain('throughline.history_compacted')
  await expectWhole(log)
})

test('[M8] a summary counts against the budget, and gives no more tokens than the agent may', async () => {
  const { model, calls } = overheard(
    scriptedModel(({ system }) => (system.startsWith('Sum up') ? 'short' : 'an answer')),
  )
  const agent = defineAgent({ name: 'A', model, limits: { historyChars: 40, outputTokens: 77 } })
  const { ask } = withAgents([agent])
  let usage
  for (let n = 1; n <= 4; n++) ({ usage } = await ask(`Question number ${n}`).result)
  expect(usage?.total.calls).toBeGreaterThan(1)
  expect(calls.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual(calls.map(() => 77))
})

test('a key names a request: asked twice, it is run once and answered twice', async () => {
  const { runs, prompts } = remembering()
  const request = { agent: 'A', input: 'One', key: 'k' }
  const [one, two] = await Promise.all([
    runs.start('t', request).result,
    runs.start('t', request).result,
  ])
  expect(one).toEqual(two)
  const again = runs.start('t', request)
  expect((await eventsOf(again)).at(-1)).toMatchObject({ type: 'turn_end' })
  expect(await again.result).toEqual(one)
  expect(prompts).toHaveLength(1)
  await runs.start('t', { ...request, key: 'other' }).result
  expect(prompts).toHaveLength(2)
})

test('[S2] a key belongs to the first message that was sent with it', async () => {
  const { runs, prompts } = remembering()
  const request = { agent: 'A', input: 'One', key: 'k' }
  const first = await runs.start('t', request).result
  const other = runs.start('t', { ...request, input: 'Two' })
  await expect(other.result).rejects.toMatchObject({ name: 'GateError', code: 'key_reused' })
  expect(prompts).toHaveLength(1)
  expect(await runs.start('t', request).result).toEqual(first)
})

test('a start and a resume may have the same key', async () => {
  const pay = tool({ inputSchema: z.object({}), needsApproval: true, execute: () => 'paid' })
  const agent = defineAgent({
    name: 'A',
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? 'done' : calling(['pay']),
    ),
    tools: { pay },
  })
  const { runs } = withAgents([agent])
  const { run } = await runs.start('t', { agent: 'A', input: 'x', key: 'k' }).result
  const request = { run, values: { approved: true }, key: 'k' }
  expect(await runs.resume('t', request).result).toMatchObject({ text: 'done' })
  // Asked again, it is answered as it was, not refused.
  const again = runs.resume('t', request)
  expect(only(await eventsOf(again), 'tool_result')).toMatchObject([{ name: 'pay' }])
  expect(await again.result).toMatchObject({ text: 'done' })
})

test('[S2] a turn that a crash cut off before anything came of it runs again under its key, in the same turn', async () => {
  const log = memoryLog()
  const dead = withAgents(
    [defineAgent({ name: 'A', model: streamingModel(['Half'], 'never ends') })],
    {
      log,
    },
  )
  const cut = dead.runs.start('t', { agent: 'A', input: 'One', key: 'k' })
  for await (const { type } of cut) if (type === 'chat_output') break
  const next = remembering({}, '', restarted(log))
  const again = next.runs.start('t', { agent: 'A', input: 'One', key: 'k' })
  expect((await eventsOf(again)).at(-1)).toMatchObject({ type: 'turn_end', reason: 'success' })
  expect(await again.result).toMatchObject({ reason: 'success', run: cut.run })
  // What the dead process had said so far counts as that of a failed call.
  expect(next.texts()).toEqual(['One'])
  await expectWhole(log)
})

test('a press on stop ends the runs that a crash left open', async () => {
  const log = memoryLog()
  const dead = withAgents(
    [defineAgent({ name: 'A', model: streamingModel(['Half'], 'never ends') })],
    {
      log,
    },
  )
  for await (const { type } of dead.ask('One')) if (type === 'chat_output') break
  const next = remembering({}, '', restarted(log))
  expect(await next.runs.cancel('t')).toBe(true)
  expect(await next.runs.cancel('t')).toBe(false)
  await expectWhole(log)
})
