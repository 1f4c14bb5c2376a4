import { expect, test } from 'vitest'
import type { LanguageModel } from 'throughline'
import { defineAgent, scriptedModel } from 'throughline'
import { lamp } from '../../src/domain/lamp.fixture.ts'
import type { Lamp } from '../../src/domain/lamp.fixture.ts'
import { Gate, stableId } from '../../src/gate/index.ts'
import type { NewEvent } from 'throughline/log'
import { refusingLog } from '../../src/log/refusing-log.fixture.ts'
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
  const run = stableId('t', 'wall', 'k')
  return {
    turns,
    narrator,
    gate,
    records: () => recordsOf(log),
    stop: () => turns.cancel('t', { run, surface: 'wall', by: 'customer' }),
    onAppend: (is: (event: NewEvent) => boolean, act: () => void) => {
      whenAppended = (events) => events.some(is) && act()
    },
  }
}

const INPUT = { input: 'On, please', events: [on(80)], key: 'k' }

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
