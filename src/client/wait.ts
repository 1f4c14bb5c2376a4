/** Heartbeats come every 15 s at least, so a connection this quiet is dead. */
export const SILENCE_MAX_MS = 40_000

/** Waits, or stops waiting when the signal is aborted. */
export function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, delayMs)
    signal.addEventListener('abort', wake)
  })
}
