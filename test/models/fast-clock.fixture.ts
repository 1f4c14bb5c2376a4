import { onTestFinished, vi } from 'vitest'

/** The factor by which timers run faster. */
const SPEED = 20

/**
 * Lets timers run fast until the test has ended, those of the bounds that are measured in seconds
 * included. The network and the disk take the time that they take.
 */
export function fastClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const tick = setInterval(() => vi.advanceTimersByTime(SPEED), 1)
  onTestFinished(() => {
    clearInterval(tick)
    vi.useRealTimers()
  })
}
