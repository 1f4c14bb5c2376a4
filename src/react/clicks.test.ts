import { expect, test } from 'vitest'
import { Clicks } from './index.ts'

test('[surfaces 5] the same click within half a second is one click, counted from the first', () => {
  let now = 0
  const clicks = new Clicks(() => now)
  expect(clicks.isRepeat('yes')).toBe(false)
  now = 499
  expect(clicks.isRepeat('yes')).toBe(true)
  now = 500
  expect(clicks.isRepeat('yes')).toBe(false)
  expect([clicks.isRepeat('no'), clicks.isRepeat('yes')]).toEqual([false, false])
  clicks.restart()
  expect(clicks.isRepeat('yes')).toBe(false)
})
