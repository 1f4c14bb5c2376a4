import { expect, test } from 'vitest'
import { LEFT_OUT, SLICES, filesOf, fullTierFiles, sliceOf } from './slice.ts'

const left = LEFT_OUT.flatMap(([, ...paths]) => paths)

test('a week of slices has each file of the full tier once, without those that are left out', () => {
  const week = Array.from({ length: SLICES }, (_, day) => sliceOf(new Date(2026, 0, 5 + day, 12)))
  const files = week.flatMap(filesOf)
  const due = fullTierFiles().filter((file) => !left.some((path) => file.startsWith(path)))
  expect(files.toSorted()).toEqual(due)
})

test('what is left out of the slices is in the full tier: take what is gone off the list', () => {
  const files = fullTierFiles()
  expect(left.filter((path) => !files.some((file) => file.startsWith(path)))).toEqual([])
})
