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
  const timer = setTimeout(work, ms)
  letProcessEnd(timer)
  return () => clearTimeout(timer)
}

/** Runs `work` every `ms` while the process lives. Returns a function that cancels the timer. */
export function startIdleInterval(work: () => void, ms: number): () => void {
  const timer = setInterval(work, ms)
  letProcessEnd(timer)
  return () => clearInterval(timer)
}

/** A browser's timer is a number, and keeps no process alive. */
function letProcessEnd(timer: NodeJS.Timeout | number): void {
  if (typeof timer === 'object') timer.unref()
}
