import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { scriptedModel } from '../models/index.ts'
import type { LanguageModel, ScriptedReply } from '../models/index.ts'
import { agentEvent, customEvent } from '../activity/index.ts'
import { lamp } from '../domain/lamp.fixture.ts'
import type { Lamp } from '../domain/lamp.fixture.ts'
import { textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { EventLog } from '../log/index.ts'
import { logWith } from '../log/log-with.fixture.ts'
import { refusingLog } from '../log/refusing-log.fixture.ts'
import { user } from './pause.fixture.ts'
import { calling, expectWhole, replies, withAgents } from './runs.fixture.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

const tag = `<agent-event type="switch_on" data='{"watts":20}' />`

/** Agents three deep: `leaf` runs a reply after a cancel of `cancelled` is on record, from elsewhere. */
function tree(cancelled: string, reply: ScriptedReply) {
  const record: { cancel?: () => Promise<unknown> } = {}
  const model: LanguageModel = scriptedModel(async () => {
    await record.cancel?.()
    delete record.cancel
    return reply
  })
  const next = defineAgent<Lamp>({ name: 'next', model: scriptedModel(() => 'Mine now') })
  const asks = tool({ inputSchema: z.object({}), needsApproval: true, execute: () => 'agreed' })
  const leaf = defineAgent<Lamp>({
    name: 'leaf',
    emits: ['switch_on'],
    model,
    tools: { asks },
    handoffs: [next],
  })
  const caller = (name: string, below: typeof leaf) =>
    defineAgent<Lamp>({
      name,
      model: replies(calling([`call_${below.name}`, { message: 'x' }]), 'End'),
      agents: [below],
    })
  const made = withAgents<Lamp>([caller('top', caller('middle', caller('lower', leaf)))], {
    domain: lamp,
  })
  record.cancel = async () => {
    const { openRuns } = await made.gate.snapshot('t')
    const open = openRuns.find(({ origin }) => origin.agent === cancelled)
    if (!open) throw new Error(`Cannot cancel: ${cancelled} has no open run`)
    const value = { run: open.runId, by: 'customer' }
    const origin = { ...open.origin, source: 'system' } as const
    await made.gate.append('t', [customEvent('cancel_requested', value, origin)])
  }
  return made
}

const proposing = calling(['propose_switch_on', { watts: 20 }])

test.each([
  ['top', 'a tag', tag],
  ['middle', 'a tag', tag],
  ['lower', 'a tag', tag],
  ['leaf', 'a tag', tag],
  ['middle', 'a tag beside a call', { text: tag, ...calling(['nothing']) }],
  ['middle', 'a propose tool', proposing],
])(
  '[S15] once a cancel of %s is on record, %s of a run below changes nothing',
  async (...given) => {
    const [cancelled, , reply] = given
    const { ask, gate, log, records } = tree(cancelled, reply)
    const { reason } = await ask('Go').result
    expect(reason).toBe(cancelled === 'top' ? 'cancelled' : 'success')
    expect((await gate.snapshot('t')).state.lit).toBe(false)
    const ends = (await records()).filter(({ type }) => type === 'SUBAGENT_ERROR')
    expect(ends[0]).toMatchObject({ origin: { agent: 'leaf' }, data: { code: 'cancelled' } })
    await expectWhole(log)
  },
)

test('[S15] a run whose cancel is on record hands over to no other', async () => {
  const { ask, log, records } = tree('leaf', calling(['handoff_to_next']))
  expect(await ask('Go').result).toMatchObject({ reason: 'success' })
  expect((await records()).filter(({ origin }) => origin.agent === 'next')).toEqual([])
  await expectWhole(log)
})

test('[S15] a run whose cancel is on record waits for no answer', async () => {
  const { ask, gate, log } = tree('leaf', calling(['asks']))
  expect(await ask('Go').result).toMatchObject({ reason: 'success' })
  expect((await gate.snapshot('t')).pauses.waiting).toEqual([])
  await expectWhole(log)
})

test('[S15] a run that fails after its cancel is on record ends cancelled', async () => {
  const { ask, log, records } = tree('top', { fail: new Error('overloaded') })
  expect(await ask('Go').result).toMatchObject({ reason: 'cancelled' })
  const end = (await records()).at(-1)
  expect(end).toMatchObject({ type: 'RUN_FINISHED', data: { metadata: { stoppedBy: 'customer' } } })
  await expectWhole(log)
})

test('[S15] a cancel that comes while recovery ends an open run counts', async () => {
  const log = memoryLog()
  const place = { agent: 'solo', path: ['solo'], depth: 0, run: 'r', turn: 'r' }
  const origin = { source: 'system', ...place } as const
  await log.append('t', [agentEvent('RUN_STARTED', { threadId: 't', runId: 'r' }, origin)])
  const cancel = customEvent('cancel_requested', { run: 'r', by: 'customer' }, origin)
  let isFirst = true
  const raced: EventLog = {
    ...refusingLog(log, () => false),
    append: async (thread, events, options) => {
      if (isFirst) await log.append('t', [cancel])
      isFirst = false
      return log.append(thread, events, options)
    },
  }
  const solo = defineAgent<Json>({ name: 'solo', model: scriptedModel(() => 'End') })
  const { runs, records } = withAgents<Json>([solo], { log: raced })
  await runs.recover('t')
  const ends = (await records()).slice(2)
  expect(ends).toMatchObject([{ type: 'RUN_FINISHED', data: { outcome: { type: 'cancelled' } } }])
  await expectWhole(log)
})

test('[S15] a run that a shutdown aborts after its cancel is on record ends cancelled', async () => {
  const { ask, log, runs } = tree('top', { hang: true })
  const turn = ask('Go')
  await turn.started
  await runs.drain(50)
  expect(await turn.result).toMatchObject({ reason: 'cancelled' })
  await expectWhole(log)
})

test('[S15] the record of a cancel names no run where the run has stopped to ask meanwhile', async () => {
  const log = memoryLog()
  const [hasRead, hasAsked] = [
    Promise.withResolvers<undefined>(),
    Promise.withResolvers<undefined>(),
  ]
  const asks = tool({
    inputSchema: z.object({}),
    execute: async (_input, { pause }) => {
      await hasRead.promise
      return pause({ name: 'Which name?' })
    },
  })
  const agent = user('asker', ['asks', asks])
  // Another process reads that the run is open, and appends once it waits for the answer.
  const elsewhere = withAgents([agent], {
    log: logWith(log, {
      async append(thread, events, options) {
        hasRead.resolve(undefined)
        await hasAsked.promise
        return log.append(thread, events, options)
      },
    }),
  })
  const { ask, records } = withAgents([agent], { log })
  const turn = ask('Who?')
  await turn.started
  const { run } = turn
  const cancelled = elsewhere.runs.cancel('t', { run, by: 'customer' })
  expect(await turn.result).toMatchObject({ reason: 'interrupt' })
  hasAsked.resolve(undefined)
  expect(await cancelled).toBe(true)
  const [cancel] = (await records()).filter(({ data }) => {
    return textOf(data, 'name') === 'throughline.cancel_requested'
  })
  expect(cancel?.data).toMatchObject({ value: { run, by: 'customer' } })
  expect(cancel?.origin.run).toBeUndefined()
  expect((await elsewhere.gate.snapshot('t')).pauses.waiting).toEqual([])
  await expectWhole(log)
})
