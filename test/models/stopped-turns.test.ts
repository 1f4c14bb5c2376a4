import { expect, test } from 'vitest'
import type { LanguageModel, ScriptedCall } from 'throughline'
import { defineAgent, scriptedModel } from 'throughline'
import { lamp } from '../../src/domain/lamp.fixture.ts'
import type { Lamp } from '../../src/domain/lamp.fixture.ts'
import { Gate, stableId } from '../../src/gate/index.ts'
import type { LogRecord, NewEvent } from 'throughline/log'
import { refusingLog } from '../../src/log/refusing-log.fixture.ts'
import { streamingModel } from '../../src/agents/runs.fixture.ts'
import { Narration } from './narration.fixture.ts'
import { id, memoryLog, recordsOf, sha256 } from '../memory-log.fixture.ts'

const on = (watts: number) => ({ type: 'switch_on', data: { watts } })
const tag = `<agent-event type="switch_on" data='{"watts":20}' />`

/** `whenAppended` is called with each batch, before it is appended. */
function setUp(model: LanguageModel) {
  let whenAppended: (events: readonly NewEvent[]) => void = () => undefined
  const memory = memoryLog({ now: () => 1 })
  const log = refusingLog(memory, (events) => {
    whenAppended(events)
    return false
  })
  const gate = new Gate({ log, domain: lamp, now: () => 1, id, sha256 })
  const turns = new Narration({ gate, log, effects: {}, id, sha256, retryDelayMs: 60_000 })
  const narrator = defineAgent<Lamp>({
    name: 'electrician',
    surface: 'wall',
    model,
    instructions: () => '',
    notes: () => [],
    submits: true,
  })
  const records = async (): Promise<readonly LogRecord[]> => {
    const all = await recordsOf(log)
    return all
  }
  const run = stableId('t', 'wall', 'k')
  return {
    turns,
    narrator,
    gate,
    records,
    stop: (surface = 'wall') => turns.cancel('t', { run, surface, by: 'customer' }),
    onAppend: (is: (event: NewEvent) => boolean, act: () => void) => {
      whenAppended = (events) => events.some(is) && act()
    },
  }
}

const isText = ({ type, origin }: NewEvent) =>
  type === 'TEXT_MESSAGE_CONTENT' && origin?.source === 'model'
const INPUT = { input: 'On, please', events: [on(80)], key: 'k' }

test('[surfaces 7] a stopped turn ends cancelled: clicks and texts stay on record, proposals do not count', async () => {
  const { turns, narrator, gate, records, stop, onAppend } = setUp(
    streamingModel([`Half a `, `sentence.\n${tag}`], 'never ends'),
  )
  const answers: Promise<boolean>[] = []
  onAppend(isText, () => answers.push(stop(), stop()))
  const result = await turns.run('t', narrator, INPUT)
  // The second stop may come when the first one has ended the turn.
  expect((await Promise.all(answers))[0]).toBe(true)
  expect(result).toMatchObject({ status: 'stopped', events: [], effectsEnded: false })
  expect(result.display).toMatch(/^Half a/)
  expect(result).not.toHaveProperty('error')
  const all = await records()
  expect(all.filter(({ type }) => type.startsWith('RUN_')).map(({ type }) => type)).toEqual([
    'RUN_STARTED',
    'RUN_FINISHED',
  ])
  expect(all.at(-1)).toMatchObject({
    type: 'RUN_FINISHED',
    data: { outcome: { type: 'cancelled' }, metadata: { stoppedBy: 'customer' } },
  })
  const { state, openRuns } = await gate.snapshot('t')
  expect([state.lit, state.watts, openRuns]).toEqual([true, 80, []])
  const types = all.map(({ type }) => type)
  expect([types.includes('replace'), types.includes('event_refused')]).toEqual([false, false])
})

test('[surfaces 7] the next turn begins at once, and the model reads that the last one was stopped', async () => {
  const heard: ScriptedCall[] = []
  const { turns, narrator, stop, onAppend } = setUp(streamingModel(['Half'], 'never ends'))
  onAppend(isText, stop)
  await turns.run('t', narrator, INPUT)
  const model = scriptedModel((call) => (heard.push(call), 'Whole.'))
  const next = await turns.run('t', { ...narrator, model }, { input: 'Go on' })
  expect(next).toMatchObject({ status: 'finished', display: 'Whole.' })
  expect(heard[0]?.messages.map(({ text }) => text)).toEqual([
    'On, please',
    'Half',
    '[This was stopped before it was finished.]\n\nGo on',
  ])
})

test('[surfaces 7] a repeated request for a stopped turn gets the same answer and starts no run', async () => {
  const { turns, narrator, records, stop, onAppend } = setUp(streamingModel(['Half'], 'never ends'))
  onAppend(isText, stop)
  const result = await turns.run('t', narrator, INPUT)
  const count = (await records()).length
  expect(await turns.run('t', narrator, INPUT)).toEqual(result)
  expect(await records()).toHaveLength(count)
})

test('[surfaces 7] a run of another thread or surface, an unknown one and an ended one cannot be stopped', async () => {
  const { turns, narrator, stop, onAppend } = setUp(streamingModel(['Half'], 'never ends'))
  const run = stableId('t', 'wall', 'k')
  const by = 'customer'
  const answers: Promise<boolean>[] = []
  onAppend(isText, () => {
    answers.push(turns.cancel('another', { run, by }), stop('ceiling'))
    answers.push(turns.cancel('t', { run: 'none', by }), turns.cancel('t', { run, by }))
  })
  expect(await stop()).toBe(false)
  await turns.run('t', narrator, INPUT)
  expect(await Promise.all(answers)).toEqual([false, false, false, true])
  expect(await stop()).toBe(false)
})

test('[surfaces 7] a stop before the model is asked, and one while it is to be asked again, end the turn', async () => {
  let calls = 0
  const down = scriptedModel(() => (calls++, { fail: new Error('down') }))
  const early = setUp(down)
  early.onAppend(({ type }) => type === 'TEXT_MESSAGE_END', early.stop)
  expect(await early.turns.run('t', early.narrator, INPUT)).toMatchObject({ status: 'stopped' })
  // The log orders the stop after the opening: the model may have been called by then.
  expect(calls).toBeLessThanOrEqual(1)
  calls = 0
  const between = setUp(down)
  // The pause before the second attempt is a minute: only the stop ends it.
  between.onAppend(
    ({ type }) => type === 'STEP_FINISHED',
    () => setTimeout(between.stop, 10),
  )
  expect(await between.turns.run('t', between.narrator, INPUT)).toMatchObject({ status: 'stopped' })
  expect(calls).toBe(1)
})

test('[surfaces 7] a cancel on record before the model has ended cancels the turn: nothing it proposed counts', async () => {
  let answer: Promise<boolean> | undefined
  const { turns, narrator, gate, stop } = setUp(
    scriptedModel(async () => {
      answer = stop()
      return `Done.\n${tag}`
    }),
  )
  const result = await turns.run('t', narrator, { ...INPUT, events: [on(40)] })
  expect([await answer, result.status, result.events]).toEqual([true, 'stopped', []])
  expect((await gate.snapshot('t')).state.watts).toBe(40)
})

test('[surfaces 7] a turn whose model has ended is not cancelled halfway', async () => {
  let answer: Promise<boolean> | undefined
  const { turns, narrator, records, stop, onAppend } = setUp(scriptedModel(() => 'Done.'))
  onAppend(
    ({ type }) => type === 'replace',
    () => {
      answer = stop()
    },
  )
  const result = await turns.run('t', narrator, INPUT)
  expect([await answer, result.status]).toEqual([false, 'finished'])
  expect((await records()).at(-1)).toMatchObject({ data: { outcome: { type: 'success' } } })
})
