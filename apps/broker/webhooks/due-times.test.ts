import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DueTimes } from './due-times.ts'

const WAIT = { timeout: 5_000, interval: 5 }

function dueTimes(max?: number) {
  const told: string[] = []
  const due = new DueTimes(Date.now, (names) => void told.push(...names), max)
  return { due, told }
}

test('names come when they are due, the earliest of a name’s times counts, and each comes once', async () => {
  const { due, told } = dueTimes()
  const start = Date.now()
  due.note('late', start + 120)
  due.note('early', start + 40)
  due.note('moved up', start + 60_000)
  due.note('moved up', start + 80)
  due.note('moved up', start + 90_000)
  due.note('past', start - 1)
  await expect.poll(() => told, WAIT).toEqual(['past', 'early', 'moved up', 'late'])
  expect(due.size).toBe(0)
})

test('a full list takes no other name, and says so; a known one may still move up', async () => {
  const { due, told } = dueTimes(2)
  const start = Date.now()
  expect(due.note('one', start + 60_000)).toBe(true)
  expect(due.note('two', start + 60_000)).toBe(true)
  expect(due.note('three', start)).toBe(false)
  expect(due.note('one', start)).toBe(true)
  await expect.poll(() => told, WAIT).toEqual(['one'])
  expect(due.note('three', start)).toBe(true)
  due.clear()
})

test('a cleared list tells nothing more, and a time beyond what timers can wait is no reason to fire', async () => {
  const { due, told } = dueTimes()
  due.note('far', Date.now() + 10 * 365 * 86_400_000)
  due.note('soon', Date.now() + 30)
  due.clear()
  const far = dueTimes()
  far.due.note('far', Date.now() + 10 * 365 * 86_400_000)
  await pause(80)
  expect([told, far.told]).toEqual([[], []])
  far.due.clear()
})
