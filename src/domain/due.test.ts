import { expect, test } from 'vitest'
import { z } from 'zod'
import { DUE_KEY_CHARS_MAX, DUE_MAX, defineDomain, dueDeadlines, dueEffects } from './index.ts'
import type { At, Due, Falsy } from './index.ts'

type Bell = At<{ readonly type: 'rung'; readonly data: Record<string, never> }>

interface Todo {
  readonly work: Due | readonly Due[] | Falsy
  readonly times: Bell | readonly Bell[] | Falsy
}

const bellAt = (at: number): Bell => ({ at, key: 'k', propose: { type: 'rung', data: {} } })

const { event, domain } = defineDomain<Todo>()
const todo = domain({
  name: 'todo',
  initial: { work: undefined, times: [] },
  events: { rung: event({ schema: z.object({}), by: [], reduce: (state) => state }) },
  effects: [
    { name: 'one', due: ({ work }) => work },
    { name: 'other', due: () => undefined },
    { name: 'third', due: () => [{ key: 'z', input: {} }] },
  ],
  deadlines: [
    { name: 'bell', due: ({ times }) => times },
    { name: 'gong', due: () => 0 },
    { name: 'quiet', due: ({ times }, { activeAt }) => times === 0 && bellAt(activeAt + 4) },
  ],
})
const work = (given: unknown) => dueEffects(todo, { work: given as Due, times: [] })
const times = (given: unknown) =>
  dueDeadlines(todo, { state: { work: 0, times: given as [] }, activeAt: 3 })
const third = { key: 'z', input: {}, name: 'third' }
const at = (time: number, key = 'k') => ({ at: time, key, propose: { type: 'rung', data: {} } })

test('an effect gives nothing, one or a list, in the order of the declarations', () => {
  for (const nothing of [undefined, null, false, 0, '', []]) expect(work(nothing)).toEqual([third])
  const one = { key: 'a', input: { n: 1 } }
  expect(work(one)).toEqual([{ ...one, name: 'one' }, third])
  expect(work([one, { ...one, key: 'b' }]).map(({ key }) => key)).toEqual(['a', 'b', 'z'])
})

test('deadlines come earliest first, past ones too, and never at infinity', () => {
  const given = [at(5, 'b'), at(Number.POSITIVE_INFINITY, 'never'), at(-1, 'a'), at(9e15, 'far')]
  expect(times(given).map(({ key }) => key)).toEqual(['a', 'b', 'far'])
  expect(times(at(7))).toEqual([{ ...at(7), name: 'bell' }])
})

test('a deadline may count from the last activity of its thread', () => {
  expect(times(0)).toEqual([{ ...bellAt(7), name: 'quiet' }])
})

test('more than a named number, a bad key and a bad time are errors that name the declaration', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ key: String(n), input: {} }))
  expect(work(many(DUE_MAX))).toHaveLength(DUE_MAX + 1)
  expect(() => work(many(DUE_MAX + 1))).toThrow(/effect "one" of domain "todo": 10001 .*leave out/)
  const long = 'k'.repeat(DUE_KEY_CHARS_MAX + 1)
  for (const key of [long, 7, undefined]) {
    expect(() => work({ key, input: {} })).toThrow(/key of effect "one"/)
  }
  expect(() => times(at(Number.NaN))).toThrow(/deadline "bell" .*milliseconds/)
  expect(() => times({ ...at(1), at: '2026' })).toThrow(/deadline "bell" .*milliseconds/)
})
