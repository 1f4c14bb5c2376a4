import { expect, test } from 'vitest'
import type { NewEvent, Origin } from '../log/index.ts'
import { EMPTY_CONVERSATION, customEvent, foldConversation, messagesOn } from './index.ts'
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

const desk = topOrigin({ agent: 'clerk' }, 'desk run')
const wall = topOrigin({ agent: 'guide', surface: 'wall' }, 'wall run')

const fold = (...events: readonly NewEvent[]) =>
  foldConversation(EMPTY_CONVERSATION, stored(events))
const textsOn = (surface: string | undefined, ...events: readonly NewEvent[]) =>
  messagesOn(fold(...events), surface).map(({ text }) => text)

const hello = [...says(desk, 'm1', 'Hello desk'), ...says(wall, 'm2', 'Hello wall')]

test('an agent hears the messages of its surface; without a surface, those without one', () => {
  expect(textsOn('wall', ...hello)).toEqual(['Hello wall'])
  expect(textsOn(undefined, ...hello)).toEqual(['Hello desk'])
  expect(textsOn('other', ...hello)).toEqual([])
  expect(fold(...hello).messages).toHaveLength(2)
})

test('a reset drops the messages of its surface and no others', () => {
  const reset = (origin: Origin) => customEvent('history_reset', {}, origin)
  expect(fold(...hello, reset(desk)).messages).toMatchObject([{ text: 'Hello wall' }])
  expect(fold(...hello, reset(wall)).messages).toMatchObject([{ text: 'Hello desk' }])
})

test('a summary takes the place of the old messages of its surface and no others', () => {
  const compacted = (origin: Origin) =>
    customEvent('history_compacted', { through: 6, summary: 'Short' }, origin)
  const later = [...hello, ...says(desk, 'm3', 'More'), ...says(wall, 'm4', 'And more')]
  expect(fold(...later, compacted(wall)).messages.map(({ text }) => text)).toEqual([
    'Hello desk',
    'More',
    'Short',
    'And more',
  ])
  expect(textsOn('wall', ...later, compacted(desk))).toEqual(['Hello wall', 'And more'])
  expect(textsOn(undefined, ...later, compacted(desk))).toEqual(['Short'])
})

test('a summary keeps the calls that have no result yet: a turn that waits answers them later', () => {
  const events = [...says(desk, 'm1', 'Hello'), ...calls(desk, 'open'), ...calls(desk, 'done')]
  const compacted = customEvent('history_compacted', { through: 40, summary: 'Short' }, desk)
  const { messages } = fold(...events, answers(desk, 'done'), compacted, answers(desk, 'open'))
  expect(messages.map(({ role, id }) => (role === 'call' ? id : role))).toEqual([
    'open',
    'note',
    'tool',
  ])
})

test('a turn that is cancelled leaves its note on its surface', () => {
  expect(textsOn('wall', runStarted(wall), runFinished(wall, 'cancelled'))).toHaveLength(1)
  expect(textsOn(undefined, runStarted(wall), runFinished(wall, 'cancelled'))).toEqual([])
})

const sub = belowOrigin(desk, 'sub', 'call-1')
const waiting = [
  runStarted(desk),
  ...calls(desk, 'call-1'),
  subagentStarted(sub),
  ...says(sub, 'm5', 'May I?'),
  asks(sub, 'w', 'call-2'),
  subagentSuspended(sub),
  runFinished(desk, ['w']),
]
const nestedIn = (...events: readonly NewEvent[]) => Object.keys(fold(...events).nested)

test('what a sub-agent said that waits outlives the turns of other surfaces and agents', () => {
  const others = [topOrigin({ agent: 'boss' }, 'boss run'), wall].flatMap((origin) => [
    runStarted(origin),
    runFailed(origin),
  ])
  const next = topOrigin({ agent: 'clerk' }, 'next run')
  expect(nestedIn(...waiting, ...others)).toEqual(['sub'])
  expect(nestedIn(...waiting, ...others, runStarted(next, ['w']))).toEqual(['sub'])
  expect(nestedIn(...waiting, ...others, runStarted(next))).toEqual([])
})

test('what sub-agents said is dropped by the turn after one that failed or was cancelled', () => {
  const next = topOrigin({ agent: 'clerk' }, 'next run')
  const resumed = [...waiting, runStarted(next, ['w'])]
  for (const end of [runFailed(next), runFinished(next, 'cancelled')]) {
    const { nested, owners } = fold(
      ...resumed,
      end,
      runStarted(topOrigin({ agent: 'clerk' }, 'last')),
    )
    expect([nested, owners]).toEqual([{}, {}])
  }
})
