import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ADDRESSES_COUNTED_MAX, ATTEMPTS_PER_MINUTE_MAX, AttemptLimit } from './attempt-limit.ts'

const MINUTE_MS = 60_000

const attempts = fc.array(
  fc.record({ address: fc.constantFrom('a', 'b', 'c'), pauseMs: fc.nat(9_000) }),
  { maxLength: 200 },
)

test('[X17] in no minute are more than ten wrong attempts of one address compared', () => {
  fc.assert(
    fc.property(attempts, (plan) => {
      let now = 0
      const limit = new AttemptLimit(() => now)
      const compared: Record<string, number[]> = { a: [], b: [], c: [] }
      for (const { address, pauseMs } of plan) {
        now += pauseMs
        if (limit.waitMs(address) > 0) continue
        limit.countWrong(address)
        compared[address]?.push(now)
      }
      for (const times of Object.values(compared)) {
        const over = times.filter(
          (time, at) => time - (times[at - ATTEMPTS_PER_MINUTE_MAX] ?? -Infinity) < MINUTE_MS,
        )
        expect(over).toEqual([])
      }
    }),
  )
})

test('[X17] the reported wait is the wait that is needed', () => {
  let now = 5_000
  const limit = new AttemptLimit(() => now)
  for (let count = 0; count < ATTEMPTS_PER_MINUTE_MAX; count++, now += 1_000) limit.countWrong('a')
  const waitMs = limit.waitMs('a')
  expect(waitMs).toBe(50_000)
  now += waitMs - 1
  expect(limit.waitMs('a')).toBe(1)
  now += 1
  expect(limit.waitMs('a')).toBe(0)
})

test('[X17] addresses beyond the table share one count, and have their own again a minute later', () => {
  let now = 0
  const limit = new AttemptLimit(() => now)
  for (let at = 0; at < ADDRESSES_COUNTED_MAX; at++) limit.countWrong(`counted ${at}`)
  for (let at = 0; at < ATTEMPTS_PER_MINUTE_MAX; at++) {
    expect(limit.waitMs(`beyond ${at}`)).toBe(0)
    limit.countWrong(`beyond ${at}`)
  }
  expect(limit.waitMs('one more')).toBe(MINUTE_MS)
  expect(limit.waitMs('counted 0')).toBe(0)
  now = MINUTE_MS
  limit.countWrong('one more')
  expect(limit.waitMs('another')).toBe(0)
})
