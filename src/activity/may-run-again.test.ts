import { expect, test } from 'vitest'
import type { NewEvent, Origin } from '../log/index.ts'
import { discardedResult, endOpenRuns, foldOpenRuns, mayRunAgain } from './index.ts'
import { stored } from './stored-records.fixture.ts'
import {
  answers,
  belowOrigin,
  calls,
  runFailed,
  runStarted,
  says,
  subagentStarted,
  topOrigin,
} from './turn-records.fixture.ts'

const origin = topOrigin({ agent: 'guide', surface: 'wall' }, 'r')
const model: Origin = { ...origin, source: 'model' }
const person: Origin = { ...origin, source: 'ui' }
const failed = (...events: readonly NewEvent[]) =>
  mayRunAgain(stored([runStarted(origin), ...events, runFailed(origin)]))

test('a failed turn may run again if it left only clicks, words and refusals', () => {
  expect(failed()).toBe(true)
  expect(failed(...says(person, 'm1', 'Hi'), ...says(model, 'm2', 'Well'))).toBe(true)
  expect(failed({ type: 'lit', data: {}, origin: person })).toBe(true)
  expect(failed({ type: 'lit', data: {}, origin: { ...origin, source: 'rule' } })).toBe(true)
  expect(failed({ type: 'event_refused', data: {}, origin: model })).toBe(true)
  const discarded = discardedResult({ toolCallId: 'c', messageId: 'm' }, model)
  expect(failed(...calls(model, 'c'), discarded)).toBe(true)
})

test('it may not once a tool has a result, a sub-agent was started, or a proposal was accepted', () => {
  expect(failed(...calls(model, 'c'), answers(origin, 'c'))).toBe(false)
  expect(failed(subagentStarted(belowOrigin(origin, 's', 'c')))).toBe(false)
  expect(failed({ type: 'lit', data: {}, origin: model })).toBe(false)
})

test('it may not after a call that was in flight: the tool may have done its work', () => {
  const open = [runStarted(origin), ...calls(model, 'c')]
  const openRuns = foldOpenRuns([], stored(open))
  const why = { message: 'Stopped', code: 'interrupted' }
  const ends = endOpenRuns({ openRuns, pauses: { left: [] } }, why)
  expect(mayRunAgain(stored([...open, ...ends]))).toBe(false)
})
