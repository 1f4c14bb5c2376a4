import { expect, test } from 'vitest'
import { NONE, afterTick, indicatorsOf } from './support-choice.ts'

test('“None of these” takes away the other ticks', () => {
  expect(afterTick(['a', 'b'], ['a', 'b', NONE])).toEqual([NONE])
})

test('another tick takes away “None of these”', () => {
  expect(afterTick([NONE], [NONE, 'a'])).toEqual(['a'])
})

test('a tick can be taken away again', () => {
  expect(afterTick(['a', 'b'], ['b'])).toEqual(['b'])
  expect(afterTick([NONE], [])).toEqual([])
})

test('“None of these” is no indicator', () => {
  expect(indicatorsOf([NONE])).toEqual([])
  expect(indicatorsOf(['a'])).toEqual(['a'])
})
