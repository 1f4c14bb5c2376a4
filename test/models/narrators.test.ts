import { expect, test } from 'vitest'
import { defineAgent, scriptedModel } from 'throughline'
import type { ScriptedCall, ScriptedReply } from 'throughline'
import { lamp } from '../../src/domain/lamp.fixture.ts'
import type { Lamp } from '../../src/domain/lamp.fixture.ts'
import { Gate, stableId } from '../../src/gate/index.ts'
import type { EventLog } from 'throughline/log'
import { refusingLog } from '../../src/log/refusing-log.fixture.ts'
import { MODEL_ATTEMPTS_MAX } from '../../src/step/index.ts'
import { Narration } from './narration.fixture.ts'
import { id, memoryLog, recordsOf, sha256 } from '../memory-log.fixture.ts'

type Script = (call: ScriptedCall) => ScriptedReply | Promise<ScriptedReply>

function setUp(script: Script, wrap: (log: EventLog) => EventLog = (log) => log) {
  const log = wrap(memoryLog({ now: () => 1 }))
  const gate = new Gate({ log, domain: lamp, now: () => 1, id, sha256 })
  const turns = new Narration({ gate, log, effects: {}, id, sha256, retryDelayMs: 0 })
  const narrator = defineAgent<Lamp>({
    name: 'electrician',
    surface: 'wall',
    model: scriptedModel(script),
    instructions: ({ state: { lit } }) => `lit: ${lit}`,
    notes: ({ accepted, first, bare }) => [
      ...(first ? ['[First.]'] : []),
      ...(bare ? ['[Bare.]'] : []),
      ...accepted.map(({ type }) => `[${type}]`),
    ],
    submits: true,
  })
  return { log, gate, turns, narrator, records: () => recordsOf(log) }
}

const on = (watts: number) => ({ type: 'switch_on', data: { watts } })
const tag = (watts: number) => `<agent-event type="switch_on" data='{"watts":${watts}}' />`

test('[B014] [B015] [B018] [B019] [B020] [B021] a turn is recorded in its order', async () => {
  const { turns, narrator, records } = setUp(() => `Done.\n${tag(20)}`)
  await turns.run('t', narrator, { input: 'Less, please', events: [on(80)] })
  const order = (await records()).map(
    ({ type, origin }) => `${origin.rule ?? origin.source} ${type}`,
  )
  expect(order).toEqual([
    'system RUN_STARTED',
    'ui switch_on',
    'R1 report',
    'ui TEXT_MESSAGE_START',
    'ui TEXT_MESSAGE_CONTENT',
    'ui TEXT_MESSAGE_END',
    'system CUSTOM',
    'model STEP_STARTED',
    'model TEXT_MESSAGE_START',
    'model TEXT_MESSAGE_CONTENT',
    'model TEXT_MESSAGE_END',
    'model CUSTOM',
    'model STEP_FINISHED',
    'model event_refused',
    'R2 replace',
    'system RUN_FINISHED',
  ])
})

test('[A016] [A017] [B016] [B017] the model reads the state, the notes on direct events, and the history', async () => {
  const seen: ScriptedCall[] = []
  const { turns, narrator } = setUp((call) => (seen.push(call), 'It is on.'))
  await turns.run('t', narrator, { events: [on(40)], first: true })
  await turns.run('t', narrator, { input: 'And now?', events: [on(60)] })

  const first = { role: 'user', text: '[First.]\n\n[switch_on]' }
  expect(seen[0]).toMatchObject({ system: 'lit: true', messages: [first] })
  expect(seen[1]?.messages).toMatchObject([
    first,
    { role: 'assistant', text: 'It is on.' },
    { role: 'user', text: 'And now?\n\n[switch_on]' },
  ])
  expect(seen[1]?.messages).toHaveLength(3)
})

test('[A006] [A007] the result lists the proposals and their outcomes, in order', async () => {
  const { turns, narrator } = setUp(() => `Yes.\n${tag(20)}\n${tag(99)}\n<agent-event type="x" />`)
  const result = await turns.run('t', narrator, { input: 'on', events: [on(0)] })
  expect(result).toMatchObject({
    status: 'finished',
    display: 'Yes.',
    events: [
      { type: 'switch_on', data: { watts: 20 }, accepted: true },
      { type: 'switch_on', data: { watts: 99 }, accepted: false, reason: 'not_authorised' },
      { type: 'x', data: {}, accepted: false, reason: 'unknown_type' },
    ],
    refused: [{ type: 'switch_on', reason: 'invalid_payload' }],
  })
})

test('[B050] a turn that may not submit lets no rule start work', async () => {
  const { turns, narrator, records } = setUp(() => 'Yes.')
  await turns.run('t', { ...narrator, submits: false }, { events: [on(80)] })
  const types = (await records()).map(({ type }) => type)
  expect(types).toContain('report')
  expect(types).not.toContain('replace')
})

test('[B060] a call that fails is repeated once, keeps its text, and applies nothing', async () => {
  const { turns, narrator, records } = setUp(() => ({ cut: `Half a sentence ${tag(20)}` }))
  const result = await turns.run('t', narrator, { input: 'on', events: [on(40)] })
  expect(result).toMatchObject({ status: 'failed', error: { code: 'truncated' }, events: [] })
  const all = await records()
  const types = all.map(({ type }) => type)
  expect(types.filter((type) => type === 'STEP_STARTED')).toHaveLength(MODEL_ATTEMPTS_MAX)
  expect(types.filter((type) => type === 'TEXT_MESSAGE_END')).toHaveLength(MODEL_ATTEMPTS_MAX + 1)
  expect(types.at(-1)).toBe('RUN_ERROR')
  expect(types).not.toContain('replace')
  const attempts = all
    .filter(({ type }) => type === 'STEP_STARTED')
    .map(({ origin }) => origin.attempt)
  expect(attempts).toEqual([1, 2])
})

test('[ruling 10] a click that completes what a submitting rule waits for submits, also if the model fails', async () => {
  const { turns, narrator, records } = setUp(() => ({ cut: tag(20) }))
  const result = await turns.run('t', narrator, { events: [on(80)], key: 'k' })
  expect(result).toMatchObject({ status: 'failed', error: { code: 'truncated' }, events: [] })
  expect((await records()).map(({ type }) => type).slice(-2)).toEqual(['replace', 'RUN_ERROR'])
  await turns.run('t', narrator, { events: [on(80)], key: 'k' })
  await turns.run('t', narrator, {})
  expect((await records()).filter(({ type }) => type === 'replace')).toHaveLength(1)
})

test('[ruling 10] [M9] a click that completes what a submitting rule waits for submits, also beyond the budget', async () => {
  const { gate, log, narrator, records } = setUp(() => 'Never said.')
  const threadLimits = { tokensPerDay: 1 }
  const turns = new Narration({ gate, log, effects: {}, id, sha256, threadLimits })
  const result = await turns.run('t', narrator, { events: [on(80)] })

  expect(result).toMatchObject({ status: 'failed', error: { code: 'limit_day' } })
  expect((await records()).map(({ type }) => type).slice(-2)).toEqual(['replace', 'RUN_FINISHED'])
})

test('[ruling 10] where no click of the turn completed it, or the narrator may not submit, a failed model call submits nothing', async () => {
  const { gate, turns, narrator, records } = setUp(() => ({ cut: 'Half' }))
  await turns.run('t', { ...narrator, submits: false }, { events: [on(80)] })
  expect((await gate.snapshot('t')).state.reported).toBe(true)
  for (const input of [{}, { input: 'Go on' }, { events: [on(10)] }]) {
    await turns.run('t', narrator, input)
  }
  expect((await records()).map(({ type }) => type)).not.toContain('replace')
})

/** The data of the record that begins the turn of a request. */
async function openingOf(request: Parameters<ReturnType<typeof setUp>['turns']['run']>[2]) {
  const { turns, narrator, records } = setUp(() => 'Yes.')
  await turns.run('t', narrator, request)
  return (await records()).find(({ type }) => type === 'RUN_STARTED')?.data ?? null
}

test('[ruling 10] a click that a crash cut off completes its turn when it is asked for again', async () => {
  const { log, gate, turns, narrator, records } = setUp(() => ({ cut: 'Half' }))
  const run = stableId('t', 'wall', 'k')
  const origin = { source: 'system', surface: 'wall', agent: 'electrician', depth: 0, run } as const
  const started = await openingOf({ events: [on(80)], key: 'k' })
  await log.append('t', [{ id: run, type: 'RUN_STARTED', data: started, origin }])
  const click = { id: stableId('t', run, 'event', '0'), ...on(80) }
  await gate.commit('t', [{ ...click, origin: { ...origin, source: 'ui' } }])
  const result = await turns.run('t', narrator, { events: [on(80)], key: 'k' })
  expect(result.status).toBe('failed')
  expect((await records()).filter(({ type }) => type === 'replace')).toHaveLength(1)
})

test('a call that succeeds at the second attempt counts, alone', async () => {
  const { turns, narrator } = setUp(({ index }) =>
    index === 0 ? { cut: `No. ${tag(10)}` } : `Yes. ${tag(20)}`,
  )
  const result = await turns.run('t', narrator, { input: 'on' })
  expect(result).toMatchObject({
    status: 'finished',
    display: 'Yes.',
    events: [{ accepted: true }],
  })
})

test('[M7] a turn cut off by a crash before its input was recorded records it when it is requested again', async () => {
  const { log, turns, narrator, gate } = setUp(() => 'Yes.')
  const run = stableId('t', 'wall', 'k')
  const origin = { source: 'system', surface: 'wall', agent: 'electrician', depth: 0, run } as const
  const input = { key: 'k', input: 'on', events: [on(40)] }
  const data = await openingOf(input)
  await log.append('t', [{ id: run, type: 'RUN_STARTED', data, origin }])
  expect(await turns.run('t', narrator, input)).toMatchObject({ status: 'finished' })
  const { state, openRuns } = await gate.snapshot('t')
  expect([state.lit, openRuns]).toEqual([true, []])
})

test('a run whose end could not be recorded is ended before the thread goes on', async () => {
  let full = false
  const { turns, narrator, gate } = setUp(
    () => 'Yes.',
    (log) => refusingLog(log, (events) => full && events[0]?.type !== 'RUN_STARTED'),
  )
  full = true
  await expect(turns.run('t', narrator, { input: 'on' })).rejects.toMatchObject({
    code: 'io',
  })
  full = false
  await turns.run('t', narrator, { input: 'on' })
  expect((await gate.snapshot('t')).openRuns).toEqual([])
})
