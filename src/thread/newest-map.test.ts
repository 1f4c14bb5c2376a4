import { expect, test } from 'vitest'
import { NewestMap } from './index.ts'

test('a full map drops the entry that was set the longest ago', () => {
  const map = new NewestMap<number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})
