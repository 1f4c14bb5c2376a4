import { expect, test } from 'vitest'
import type { NewEvent, Origin } from '../log/index.ts'
import { CallerView, agentEvent, customEvent, latestRun } from './index.ts'
import { outlines, textsIn, treeOf } from './run-tree.fixture.ts'
import { stored } from './stored-records.fixture.ts'
import {
  answers,
  asks,
  belowOrigin,
  calls,
  runFailed,
  runFinished,
  runStarted,
  says,
  subagentStarted,
  subagentSuspended,
  topOrigin,
} from './turn-records.fixture.ts'

const guide = { agent: 'guide', surface: 'wall' }

function seen(...events: readonly NewEvent[]) {
  const view = new CallerView()
  return stored(events).flatMap((record) => view.take(record))
}
const treeIn = (...events: readonly NewEvent[]) => treeOf(seen(...events))

/** The records of a run up to its end; without a written text, of a bare turn. */
const told = (origin: Origin, written: string, answer: string): readonly NewEvent[] => {
  const { run } = origin
  return [
    runStarted(origin),
    ...(written === '' ? [] : says({ ...origin, source: 'ui' }, `asked ${run}`, written)),
    agentEvent('STEP_STARTED', { stepName: 'model:1' }, origin),
    ...says({ ...origin, source: 'model' }, `said ${run}`, answer),
    customEvent('model_output', { usage: { provider: 'p', model: 'm' } }, origin),
    agentEvent('STEP_FINISHED', { stepName: 'model:1' }, origin),
  ]
}
const origin = topOrigin(guide, 'r')

test('a run of a narrator is shown like any agent’s, whether its records name a turn or not', () => {
  const old: Origin = { source: 'system', depth: 0, ...guide, run: 'r' }
  for (const each of [origin, old]) {
    const tree = treeIn(...told(each, 'Hi', 'Hello'), runFinished(each, 'success'))
    expect(outlines(tree)).toEqual([['guide/0 done']])
    expect(tree.turns).toMatchObject([{ turn: 'r', runs: [{ prompt: 'Hi' }] }])
    expect(textsIn(latestRun(tree))).toEqual(['complete: Hello'])
  }
})

test('a turn without a message has a result and usage like any other', () => {
  const events = seen(...told(origin, '', 'Welcome'), runFinished(origin, 'success'))
  expect(events.map(({ type }) => type)).toEqual([
    'prompt_started',
    'completion_start',
    'chat_output',
    'completion_end',
    'turn_end',
  ])
  expect(events[3]).toMatchObject({ usage: { model: 'p/m' } })
  expect(events[4]).toMatchObject({ reason: 'success', result: 'Welcome' })
})

test('a turn that failed and ran again is one turn of two runs, with the prompt in both', () => {
  const again = topOrigin(guide, 'r2', 'r')
  const tree = treeIn(
    ...told(origin, 'Hi', 'Well'),
    runFailed(origin),
    ...told(again, '', 'Hello'),
    runFinished(again, 'success'),
  )
  expect(outlines(tree)).toEqual([['guide/0 failed', 'guide/0 done']])
  expect(tree.turns[0]?.runs.map(({ prompt }) => prompt)).toEqual(['Hi', 'Hi'])
})

const boss = topOrigin({ agent: 'boss' }, 'b')
const below = belowOrigin(boss, 's', 'call-1')
const waits = [
  runStarted(boss),
  ...says({ ...boss, source: 'ui' }, 'asked', 'Pay'),
  ...calls(boss, 'call-1'),
  subagentStarted(below),
  ...calls(below, 'call-2'),
  asks(below, 'w', 'call-2'),
  subagentSuspended(below),
  runFinished(boss, ['w']),
]
const meanwhile = [...told(origin, 'Hi', 'Hello'), runFinished(origin, 'success')]

test('a turn that waits goes on in its place after a turn on another surface', () => {
  const tree = treeIn(...waits, ...meanwhile)
  expect(outlines(tree)).toEqual([[['boss/0 waiting', 'clerk/1 waiting']], ['guide/0 done']])
  expect(latestRun(tree)?.agent).toBe('boss')
  const next = topOrigin({ agent: 'boss' }, 'b2')
  const resumed = [...waits, ...meanwhile, runStarted(next, ['w'])]
  const working = treeIn(...resumed)
  expect(outlines(working)).toEqual([[['boss/0 working', 'clerk/1 waiting']], ['guide/0 done']])
  expect(latestRun(working)?.agent).toBe('boss')
  expect(working.turns.map(({ turn, key }) => [turn, key])).toEqual([
    ['b2', 'b'],
    ['r', 'r'],
  ])
})

test('what a resumed turn refers to is known after a turn on another surface', () => {
  const next = topOrigin({ agent: 'boss' }, 'b2')
  const events = seen(...waits, ...meanwhile, runStarted(next, ['w']), answers(next, 'call-1'))
  expect(events.at(-1)).toMatchObject({ type: 'tool_result', toolCallId: 'call-1', name: 'work' })
  // The turn that passes over a question still ends its calls; the one after it does not know them.
  const passes = runStarted(topOrigin({ agent: 'boss' }, 'b3'))
  const after = runStarted(topOrigin({ agent: 'boss' }, 'b4'))
  const known = seen(...waits, ...meanwhile, passes, answers(next, 'call-1'))
  expect(known.at(-1)).toMatchObject({ name: 'work' })
  const dropped = seen(...waits, ...meanwhile, passes, after, answers(next, 'call-1'))
  expect(dropped.at(-1)).toMatchObject({ name: '' })
})
