const CYCLE = '[the same value again]'
const WITHOUT_JSON = '[a value that has no JSON]'

/**
 * Returns whatever a tool gave as JSON text, or undefined for a value without any, such as a function. Never
 * throws: a tool that did its work has not failed because JSON cannot carry its value.
 */
export function valueJson(value: unknown): string | undefined {
  /** The objects around the one that is read, with the text that is written for each. */
  const around: { readonly given: unknown; readonly written: unknown }[] = []
  try {
    return JSON.stringify(value, function write(this: unknown, _name: string, given: unknown) {
      while (around.length > 0 && around.at(-1)?.written !== this) around.pop()
      if (typeof given === 'bigint') return String(given)
      if (typeof given !== 'object' || given === null) return given
      if (around.some((each) => each.given === given)) return CYCLE
      const written = heldBy(given)
      around.push({ given, written })
      return written
    }) as string | undefined
  } catch {
    // A member that throws when it is read, or objects nested too deep.
    return JSON.stringify(WITHOUT_JSON)
  }
}

/** JSON writes `{}` for these. */
function heldBy(value: object): object {
  if (value instanceof Set) return [...value]
  if (value instanceof Error) {
    const { name, message, cause } = value
    return Object.assign({ name, message }, cause === undefined ? {} : { cause }, value)
  }
  if (!(value instanceof Map)) return value
  const entries: [unknown, unknown][] = [...value]
  const isNamed = entries.every(([key]) => typeof key === 'string')
  return isNamed ? Object.fromEntries(entries) : entries
}
