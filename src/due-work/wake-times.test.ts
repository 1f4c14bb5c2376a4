import { expect, test } from 'vitest'
import { ManualClock } from './index.ts'
import { WAKE_TIMER_MAX_MS, WAKE_TIMES_MAX, WakeTimes } from './wake-times.ts'

function wakeTimes() {
  const clock = new ManualClock()
  const woken: string[] = []
  return { clock, woken, times: new WakeTimes(clock, (thread) => void woken.push(thread)) }
}

test('a thread wakes once, at the time that was set last; a cleared one does not', () => {
  const { clock, woken, times } = wakeTimes()
  times.set('late', 120)
  times.set('moved', WAKE_TIMER_MAX_MS * 3)
  times.set('moved', 80)
  times.set('off', 40)
  times.set('off', undefined)
  clock.advance(200)
  expect([woken, times.size]).toEqual([['moved', 'late'], 0])
  times.set('far', WAKE_TIMER_MAX_MS * 3)
  clock.advance(WAKE_TIMER_MAX_MS * 2)
  times.clear()
  clock.advance(WAKE_TIMER_MAX_MS * 2)
  expect(woken).toHaveLength(2)
})

test('a full list takes no other thread, and changes the time of one that it has', () => {
  const { clock, woken, times } = wakeTimes()
  for (let thread = 0; thread < WAKE_TIMES_MAX; thread++) times.set(`t${thread}`, 1e9)
  expect(times.set('other', 1)).toBe(false)
  expect(times.set('t7', 1)).toBe(true)
  clock.advance(1)
  expect(woken).toEqual(['t7'])
  expect(times.set('other', 1)).toBe(true)
})
