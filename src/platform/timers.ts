/** Resolves once the events that wait now have been handled. */
export function nextTurn(): Promise<void> {
  // A browser has no `setImmediate`, and in Node `setTimeout` waits for a millisecond.
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve)
  })
}

/** Runs `work` once after `ms`, unless the process has ended. Returns a function that cancels the timer. */
export function startIdleTimer(work: () => void, ms: number): () => void {
  // A number in a browser, where nothing waits for timers.
  const timer: NodeJS.Timeout | number = setTimeout(work, ms)
  if (typeof timer === 'object') timer.unref()
  return () => clearTimeout(timer)
}
