import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ManualClock } from './clock.ts'

test('a timer of a manual clock that is due already runs without more time', async () => {
  const clock = new ManualClock()
  const ran: string[] = []
  clock.advance(1_000)
  clock.after(0, () => ran.push('due'))
  const cancel = clock.after(0, () => ran.push('cancelled'))
  clock.after(1, () => ran.push('later'))
  cancel()
  expect(ran).toEqual([])
  await setImmediate()
  expect(ran).toEqual(['due'])
})
