import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NewEvent } from '../log/index.ts'
import { NO_PAUSES, customEvent, foldPauses, ownerOf, waitingIn, waitingOf } from './index.ts'
import { stored } from './stored-records.fixture.ts'
import {
  answers,
  asks,
  belowOrigin,
  runFailed,
  runFinished,
  runStarted,
  subagentStarted,
  subagentSuspended,
  topOrigin,
} from './turn-records.fixture.ts'
import type { Who } from './turn-records.fixture.ts'

const clerk: Who = { agent: 'clerk' }
const boss: Who = { agent: 'boss' }
const wall: Who = { agent: 'guide', surface: 'wall' }
const namesake: Who = { agent: 'narrator', surface: 'clerk' }
const EVERYONE: readonly Who[] = [clerk, boss, wall, { agent: 'clerk', surface: 'wall' }, namesake]

const fold = (...events: readonly NewEvent[]) => foldPauses(NO_PAUSES, stored(events))

/** A turn that stops to ask one question. */
const asking = (who: Who, run: string): readonly NewEvent[] => {
  const origin = topOrigin(who, run)
  return [
    runStarted(origin),
    asks(origin, `wait ${run}`, `call ${run}`),
    runFinished(origin, [`wait ${run}`]),
  ]
}
const runsIn = (...events: readonly NewEvent[]) => fold(...events).waiting.map(({ run }) => run)

test('a wait belongs to a surface, else to an agent: a run of another owner leaves it alone', () => {
  const pauses = fold(...asking(clerk, 'one'), ...asking(wall, 'two'), ...asking(namesake, 'three'))
  expect(pauses.waiting.map(({ run }) => run)).toEqual(['one', 'two', 'three'])
  expect(waitingOf(pauses, { agent: 'clerk' })?.run).toBe('one')
  expect(waitingOf(pauses, { agent: 'any', surface: 'wall' })?.run).toBe('two')
  expect(waitingOf(pauses, { surface: 'clerk' })?.run).toBe('three')
  expect(waitingOf(pauses, { agent: 'boss' })).toBeUndefined()
  expect(waitingIn(pauses, 'two')).toMatchObject({ agent: 'guide', surface: 'wall', turn: 'two' })
})

test('a run that does not resume drops what its own owner waited for', () => {
  const start = runStarted(topOrigin(clerk, 'next'))
  expect(runsIn(...asking(clerk, 'one'), ...asking(wall, 'two'), start)).toEqual(['two'])
})

test('a run that resumes clears the wait that it answers and no other, for any agent that runs it', () => {
  const both = [...asking(clerk, 'one'), ...asking(wall, 'two')]
  const resume = runStarted(topOrigin(wall, 'next'), ['wait two'])
  expect(runsIn(...both, resume)).toEqual(['one'])
  expect(runsIn(...both, runStarted(topOrigin(boss, 'next'), ['wait one']))).toEqual(['two'])
  expect(runsIn(...both, runStarted(topOrigin(clerk, 'next'), ['unknown']))).toEqual(['one', 'two'])
})

test('a cancel that names a run which waits is kept with it until a run takes it up', () => {
  const cancel = (run: string, by: string) =>
    customEvent('cancel_requested', { run, by }, { source: 'system', depth: 0 })
  const both = [...asking(clerk, 'one'), ...asking(wall, 'two')]
  const cancelled = [
    ...both,
    cancel('two', 'customer'),
    cancel('two', 'operator'),
    cancel('x', 'y'),
  ]
  expect(fold(...cancelled).waiting).toMatchObject([
    { run: 'one' },
    { run: 'two', cancelledBy: 'customer' },
  ])
  expect(fold(...cancelled).waiting[0]).not.toHaveProperty('cancelledBy')
  expect(runsIn(...cancelled, runStarted(topOrigin(wall, 'next'), ['wait two']))).toEqual(['one'])
})

test('a failed or cancelled end clears what belongs to its turn, sub-agents included', () => {
  const origin = topOrigin(clerk, 'one')
  const below = belowOrigin(origin, 'sub', 'call sub')
  const open = [
    ...asking(wall, 'two'),
    runStarted(origin),
    subagentStarted(below),
    asks(below, 'wait sub', 'call below'),
    subagentSuspended(below),
  ]
  expect(fold(...open)).toMatchObject({ asked: [{ turn: 'one' }], suspended: [{ run: 'sub' }] })
  for (const end of [runFailed(origin), runFinished(origin, 'cancelled')]) {
    const { asked, suspended, waiting } = fold(...open, end)
    expect([asked, suspended, waiting.map(({ run }) => run)]).toEqual([[], [], ['two']])
  }
})

test('a turn that is resumed has calls left until each has a result, its sub-agents included', () => {
  const [origin, next] = [topOrigin(clerk, 'one'), topOrigin(clerk, 'next')]
  const below = belowOrigin(origin, 'sub', 'call sub')
  const resumed = [
    runStarted(origin),
    asks(origin, 'wait top', 'call top'),
    subagentStarted(below),
    asks(below, 'wait sub', 'call below'),
    subagentSuspended(below),
    runFinished(origin, ['wait top', 'wait sub']),
    runStarted(next, ['wait top', 'wait sub']),
  ]
  const left = (...events: readonly NewEvent[]) =>
    fold(...resumed, ...events).left.map(({ toolCallId, run }) => [toolCallId, run])
  expect(left()).toEqual([
    ['call top', 'next'],
    ['call below', 'sub'],
    ['call sub', 'next'],
  ])
  expect(left(answers(next, 'call top'))).toHaveLength(2)
  expect(left(runFailed(next))).toEqual([])
  expect(fold(...resumed, runFailed(next))).toEqual(NO_PAUSES)
})

test('records of older builds, which name no turn, fold as before', () => {
  const origin = { source: 'system', agent: 'clerk', depth: 0, run: 'one' } as const
  const events = [runStarted(origin), asks(origin, 'w', 'c'), runFinished(origin, ['w'])]
  expect(fold(...events).waiting).toMatchObject([{ run: 'one', turn: 'one', agent: 'clerk' }])
  expect(fold(...events, runStarted({ ...origin, run: 'two' }))).toEqual(NO_PAUSES)
})

/** One run at depth 0: who runs it, which earlier question it answers, and how it ends. */
interface Act {
  readonly who: Who
  readonly run: string
  /** Answers the question of the act of this number, if it asked one. */
  readonly resumes: number | undefined
  readonly below: boolean
  readonly end: 'success' | 'asks' | 'cancelled' | 'error' | 'crash'
}

const anyActs: fc.Arbitrary<readonly Act[]> = fc
  .array(
    fc.record({
      who: fc.constantFrom(...EVERYONE),
      resumes: fc.option(fc.nat(6), { nil: undefined }),
      below: fc.boolean(),
      end: fc.constantFrom('success', 'asks', 'asks', 'asks', 'cancelled', 'error', 'crash'),
    }),
    { maxLength: 9 },
  )
  .map((acts) => acts.map((act, at) => ({ ...act, run: `run ${at}` })))

function recordsOf({ who, run, resumes, below, end }: Act): readonly NewEvent[] {
  const origin = topOrigin(who, run)
  const sub = belowOrigin(origin, `sub of ${run}`, `call of ${run}`)
  const at = below ? sub : origin
  const start = runStarted(origin, resumes === undefined ? undefined : [`wait run ${resumes}`])
  const question = asks(at, `wait ${run}`, `asked by ${run}`)
  if (end === 'asks') {
    const rest = [question, ...(below ? [subagentSuspended(sub)] : [])]
    return [
      start,
      ...(below ? [subagentStarted(sub)] : []),
      ...rest,
      runFinished(origin, [`wait ${run}`]),
    ]
  }
  const ends = end === 'error' ? [runFailed(origin)] : []
  if (end === 'success' || end === 'cancelled') ends.push(runFinished(origin, end))
  // A question of a run that does not end with it is dropped.
  return [start, question, ...ends]
}

/** Written from the rules: which runs wait once all acts are over. */
function waitingRuns(acts: readonly Act[]): readonly string[] {
  const clears = (later: Act, asked: number, { who }: Act): boolean => {
    const same = ownerOf(later.who) === ownerOf(who)
    return later.resumes === undefined
      ? same
      : later.resumes === asked || (same && later.end === 'asks')
  }
  return acts.flatMap((act, at) => {
    const cleared = acts.slice(at + 1).some((later) => clears(later, at, act))
    return act.end === 'asks' && !cleared ? [act.run] : []
  })
}

test('after any turns of any agents and surfaces, the folds hold the waits that the rules leave', () => {
  fc.assert(
    fc.property(anyActs, (acts) => {
      const pauses = fold(...acts.flatMap(recordsOf))
      expect(pauses.waiting.map(({ run }) => run).toSorted()).toEqual(waitingRuns(acts).toSorted())
      const crashed = new Set(acts.flatMap(({ end, run }) => (end === 'crash' ? [run] : [])))
      const waiting = new Set(pauses.waiting.map(({ turn }) => turn))
      expect(pauses.asked.every(({ turn }) => crashed.has(turn))).toBe(true)
      expect(pauses.left.every(({ turn }) => crashed.has(turn))).toBe(true)
      expect(pauses.suspended.every(({ turn }) => crashed.has(turn) || waiting.has(turn))).toBe(
        true,
      )
    }),
    { numRuns: 2_000 },
  )
})
