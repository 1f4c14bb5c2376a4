import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { scriptedModel } from '../models/index.ts'
import type { CallerEvent } from '../activity/index.ts'
import { TURNS_WAITING_MAX } from './index.ts'
import {
  calling,
  eventsOf,
  expectWhole,
  glance,
  only,
  overheard,
  replies,
  streamingModel,
  withAgents,
} from './runs.fixture.ts'

const never = tool({ inputSchema: z.object({}), execute: () => new Promise(() => undefined) })

/** Writes some text, then nothing more, and never ends. */
const talker = (name: string) =>
  defineAgent({ name, model: streamingModel(['Half a ', 'sentence'], 'never ends') })

/** Three agents that talk at depth 2 at once, below one that never stops waiting for them. */
function tree() {
  const middle = defineAgent({
    name: 'middle',
    model: replies(
      calling(
        ['call_one', { message: '1' }],
        ['call_two', { message: '2' }],
        ['call_three', { message: '3' }],
      ),
    ),
    agents: ['one', 'two', 'three'].map(talker),
  })
  const top = defineAgent({
    name: 'top',
    model: replies(calling(['call_middle', { message: 'go' }])),
    agents: [middle],
  })
  return withAgents([top])
}

test('stopping in the middle of text ends every run once, the deepest first, and keeps the text so far', async () => {
  const { ask, runs, log } = tree()
  const turn = ask('Go')
  const seen: CallerEvent[] = []
  for await (const event of turn) {
    seen.push(event)
    if (only(seen, 'chat_output').length === 3) await runs.cancel('t')
  }
  const ends = only(seen, 'turn_cancelled')
  expect(ends.map(({ depth }) => depth)).toEqual([2, 2, 2, 1, 0])
  expect(seen.at(-1)).toMatchObject({ type: 'turn_cancelled', depth: 0 })
  expect(only(seen, 'chat_output').map(({ delta }) => delta)).toEqual(
    Array.from({ length: 3 }, () => 'Half a sentence'),
  )
  const result = await turn.result
  expect(result).toMatchObject({
    reason: 'cancelled',
    usage: { total: { calls: 5, unreported: 3 } },
  })
  await expectWhole(log)
})

test('stopping twice is stopping once', async () => {
  const { ask, runs, log } = tree()
  const turn = ask('Go')
  await turn.started
  const answers = await Promise.all([runs.cancel('t'), runs.cancel('t'), runs.cancel('t')])
  expect(answers).toContain(true)
  expect(await turn.result).toMatchObject({ reason: 'cancelled' })
  expect(await runs.cancel('t')).toBe(false)
  await expectWhole(log)
})

test('one sub-agent alone can be stopped: its parent learns of it and goes on, its siblings too', async () => {
  const slow = talker('slow')
  const quick = defineAgent({ name: 'quick', model: scriptedModel(() => 'done') })
  const top = defineAgent({
    name: 'top',
    model: replies(
      calling(['call_slow', { message: '1' }], ['call_quick', { message: '2' }]),
      ({ messages }) => messages.map(({ text }) => text).join(' | '),
    ),
    agents: [slow, quick],
  })
  const { ask, runs, log } = withAgents([top])
  const turn = ask('Go')
  const events: CallerEvent[] = []
  for await (const event of turn) {
    events.push(event)
    if (event.type === 'chat_output' && event.agent === 'slow') {
      expect(await runs.cancel('t', { run: event.run })).toBe(true)
    }
  }
  expect(only(events, 'turn_cancelled').map(({ agent }) => agent)).toEqual(['slow'])
  expect(only(events, 'tool_error')).toMatchObject([{ name: 'call_slow', code: 'cancelled' }])
  const { reason, text } = await turn.result
  expect(reason).toBe('success')
  expect(text).toContain('done')
  expect(text).toContain('stopped')
  await expectWhole(log)
})

test('a tool that ignores its signal is abandoned, and its later result is not recorded', async () => {
  const going = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  const finished = Promise.withResolvers<void>()
  const stubborn = tool({
    inputSchema: z.object({}),
    async *execute(_input, { progress }) {
      progress('before')
      yield 'first'
      going.resolve()
      await stopped.promise
      progress('after')
      finished.resolve()
      yield 'second'
      return 'late'
    },
  })
  const agent = defineAgent({
    name: 'A',
    model: replies(calling(['work'])),
    tools: { work: stubborn },
  })
  const { ask, runs, log, records } = withAgents([agent])
  const turn = ask('Go')
  await going.promise
  expect(await runs.cancel('t', { run: turn.run })).toBe(true)
  expect(await turn.result).toMatchObject({ reason: 'cancelled' })
  stopped.resolve()
  await finished.promise
  await new Promise(setImmediate)
  const last = (await records()).at(-1)
  expect(last?.type).toBe('RUN_FINISHED')
  await expectWhole(log)
})

test('a tool learns from its signal that its run was stopped', async () => {
  const going = Promise.withResolvers<void>()
  const heard = Promise.withResolvers<boolean>()
  const polite = tool({
    inputSchema: z.object({}),
    execute: (_input, { abortSignal }) =>
      new Promise((resolve) => {
        going.resolve()
        abortSignal.addEventListener('abort', () => {
          heard.resolve(abortSignal.aborted)
          resolve('stopped')
        })
      }),
  })
  const agent = defineAgent({
    name: 'A',
    model: replies(calling(['work'])),
    tools: { work: polite },
  })
  const { ask, runs } = withAgents([agent])
  ask('Go')
  await going.promise
  expect(await runs.cancel('t')).toBe(true)
  expect(await heard.promise).toBe(true)
})

test('a turn can be stopped before its model has said anything', async () => {
  const { ask, runs, log } = withAgents([
    defineAgent({ name: 'A', model: scriptedModel(() => ({ hang: true })) }),
  ])
  const turn = ask('Go')
  for await (const { type } of turn) if (type === 'completion_start') await runs.cancel('t')
  expect(await turn.result).toMatchObject({ reason: 'cancelled', text: '' })
  await expectWhole(log)
})

test('a turn can be stopped as soon as it has been asked for, and its model is never called', async () => {
  const { model, calls } = overheard(scriptedModel(() => 'too late'))
  const { ask, runs, log, records } = withAgents([defineAgent({ name: 'A', model })])
  const turn = ask('Go')
  expect(await runs.cancel('t', { run: turn.run })).toBe(true)
  expect(await turn.result).toMatchObject({ reason: 'cancelled', usage: { total: { calls: 0 } } })
  expect(calls).toEqual([])
  // The message stays on record.
  expect((await records()).some(({ data }) => JSON.stringify(data).includes('"Go"'))).toBe(true)
  await expectWhole(log)
})

test('a turn that waits for another one can be stopped by its own run, and the other goes on', async () => {
  const gate = Promise.withResolvers<string>()
  const wait = tool({ inputSchema: z.object({}), execute: () => gate.promise })
  const agent = defineAgent({
    name: 'A',
    model: replies(calling(['wait']), 'End'),
    tools: { wait },
  })
  const { ask, runs, log } = withAgents([agent])
  const [first, second] = [ask('1'), ask('2')]
  await first.started
  expect(await runs.cancel('t', { run: second.run })).toBe(true)
  gate.resolve('go')
  expect(await first.result).toMatchObject({ reason: 'success' })
  expect(await second.result).toMatchObject({ reason: 'cancelled' })
  await expectWhole(log)
})

test('stopping catches a turn that is just being handed over', async () => {
  for (let delay = 0; delay < 60; delay++) {
    const last = defineAgent({ name: 'last', model: scriptedModel(() => ({ hang: true })) })
    const first = defineAgent({
      name: 'first',
      model: replies({ text: 'bye', ...calling(['handoff_to_last']) }),
      handoffs: [last],
    })
    const { ask, runs, log } = withAgents([first])
    const turn = ask('Go')
    for await (const { type, agent } of turn) {
      if (type !== 'tool_call' || agent !== 'first') continue
      for (let tick = 0; tick < delay; tick++) await Promise.resolve()
      expect(await runs.cancel('t')).toBe(true)
    }
    expect(await turn.result, `after ${delay}`).toMatchObject({ reason: 'cancelled' })
    await expectWhole(log)
  }
})

test('the turn after one that was stopped knows its text', async () => {
  const prompts: string[] = []
  const model = scriptedModel(({ messages, index }) => {
    prompts.push(messages.map(({ text }) => text).join(' | '))
    return index === 0 ? { text: 'Half of it', toolCalls: [{ name: 'never', input: {} }] } : 'Now'
  })
  const { ask, runs, log } = withAgents([defineAgent({ name: 'A', model, tools: { never } })])
  for await (const { type } of ask('First')) if (type === 'tool_call') await runs.cancel('t')
  expect(await ask('Second').result).toMatchObject({ reason: 'success', text: 'Now' })
  expect(prompts[1]).toBe(
    'First | Half of it | The run was stopped before this call was answered | [This was stopped before it was finished.]\n\nSecond',
  )
  await expectWhole(log)
})

test('a thread takes so many turns at once and no more, and draining ends them', async () => {
  const { runs, ask, log } = withAgents([
    defineAgent({ name: 'A', model: streamingModel([], 'never ends') }),
  ])
  const turns = Array.from({ length: TURNS_WAITING_MAX + 1 }, (_, n) => ask(String(n)))
  await expect(ask('one more').result).rejects.toMatchObject({ code: 'busy' })
  await runs.drain(1)
  const reasons = await Promise.all(turns.map(async ({ result }) => (await result).reason))
  expect(new Set(reasons)).toEqual(new Set(['error']))
  await expect(ask('too late').result).rejects.toMatchObject({ code: 'draining' })
  await expectWhole(log)
})

test('iterating a turn that was refused fails like its result', async () => {
  const { ask } = withAgents([talker('A')])
  await expect(eventsOf(ask('x', 'nobody'))).rejects.toMatchObject({ code: 'unknown_agent' })
  expect(glance([])).toEqual([])
})
