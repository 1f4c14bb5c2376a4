import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './agent.ts'
import { calling, eventsOf, expectWhole, only, replies, withAgents } from '../runs.fixture.ts'
import { tool } from './tool.ts'
import { valueJson } from './value-json.ts'

const cycle: Record<string, unknown> = { paid: 5 }
cycle['self'] = cycle

const twice = { n: 1 }

const unreadable = {
  get paid() {
    throw new Error('no')
  },
}

const GIVEN: readonly (readonly [string, unknown, unknown])[] = [
  ['a BigInt', 12_345_678_901_234_567_890n, '12345678901234567890'],
  ['a BigInt inside', { receipt: [7n] }, { receipt: ['7'] }],
  ['a cycle', cycle, { paid: 5, self: '[the same value again]' }],
  ['a value in two places', { a: twice, b: [twice] }, { a: { n: 1 }, b: [{ n: 1 }] }],
  ['a Map', new Map([['paid', new Set([5n])]]), { paid: ['5'] }],
  ['a Map whose keys are no texts', new Map([[1, 'one']]), [[1, 'one']]],
  ['a Set', { ids: new Set(['a', 'b']) }, { ids: ['a', 'b'] }],
  [
    'an Error',
    Object.assign(new TypeError('late', { cause: 'snow' }), { code: 'LATE' }),
    { name: 'TypeError', message: 'late', code: 'LATE', cause: 'snow' },
  ],
  ['a date', { on: new Date(0) }, { on: '1970-01-01T00:00:00.000Z' }],
  ['a member that cannot be read', unreadable, '[a value that has no JSON]'],
]

test.each(GIVEN)('a tool that returns %s has done its work once', async (_name, given, result) => {
  let paid = 0
  const pay = tool({
    inputSchema: z.object({}),
    execute: (_input, { progress }) => {
      progress(given)
      paid++
      return given
    },
  })
  // Models try again after a failure.
  const model = replies(calling(['pay']), ({ messages }) => {
    const last = messages.at(-1)
    return last?.role === 'tool' && last.failed ? calling(['pay']) : 'paid'
  })
  const { ask, log } = withAgents([defineAgent({ name: 'A', model, tools: { pay } })])
  const turn = ask('Pay')
  const events = await eventsOf(turn)
  expect(only(events, 'tool_result')).toMatchObject([{ result }])
  expect(only(events, 'tool_output')).toMatchObject([{ output: result }])
  expect(only(events, 'tool_error')).toEqual([])
  expect([paid, (await turn.result).text]).toEqual([1, 'paid'])
  await expectWhole(log)
})

test('any JSON value has the text that JSON gives it, and any other value has a text or none', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(valueJson(value)).toBe(JSON.stringify(value))
    }),
  )
  const anything = fc.anything({ withBigInt: true, withMap: true, withSet: true, withDate: true })
  fc.assert(
    fc.property(anything, (value) => {
      const text = valueJson(value)
      if (text !== undefined) JSON.parse(text)
    }),
  )
})
