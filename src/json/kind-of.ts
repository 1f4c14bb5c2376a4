/**
 * Names in an error message what a program without types gave, such as `a promise` or `an object`. A rejection of
 * a promise counts as handled: else it would end the process.
 */
export function kindOf(given: unknown): string {
  if (given === undefined || given === null || Number.isNaN(given)) return String(given)
  if (isPromise(given)) return 'a promise'
  if (Array.isArray(given)) return 'a list'
  return typeof given === 'object' ? 'an object' : `a ${typeof given}`
}

/** Says why a part cannot be a function that returns its result itself; `undefined` when it may, or is absent. */
export function whyNotAtOnce(part: string, given: unknown): string | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'function')
    return `its \`${part}\` must be a function, and is ${kindOf(given)}`
  const tag = Object.prototype.toString.call(given)
  if (!/^\[object (?:Async|Generator|AsyncGenerator)Function\]$/.test(tag)) return undefined
  const kind = tag === '[object AsyncFunction]' ? 'async' : 'a generator'
  return `its \`${part}\` is ${kind}; it must return its result itself`
}

/** Whether a function returned a promise, whose rejection then counts as handled. */
export function isPromise(returned: unknown): returned is Promise<unknown> {
  if (!(returned instanceof Promise)) return false
  returned.catch(() => {})
  return true
}
