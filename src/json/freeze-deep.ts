/**
 * Frozen values that were walked. A value frozen elsewhere may have unfrozen parts, so it is walked once. A
 * value frozen here is added only when it is met again, which is rare: an entry costs more than the freezing.
 */
const WALKED = new WeakSet<object>()

/**
 * Freezes plain objects and arrays with all that they hold, and returns the value. Other objects, such as a
 * `Map` or an instance of a class, stay as they are.
 *
 * `before` is a frozen value that this one may share parts with: parts that are the same are not walked.
 */
export function freezeDeep<Value>(value: Value, before?: unknown): Value {
  if (value === before) return value
  if (isArray(value)) freezeItems(value, isArray(before) ? before : [])
  else if (isPlainObject(value)) freezeMembers(value, isPlainObject(before) ? before : {})
  return value
}

function freezeItems(items: readonly unknown[], before: readonly unknown[]): void {
  if (!begin(items)) return
  for (let at = 0; at < items.length; at++) {
    const item = items[at]
    if (typeof item === 'object' && item !== before[at]) freezeDeep(item, before[at])
  }
}

function freezeMembers(object: Members, before: Members): void {
  if (!begin(object)) return
  for (const key of Object.keys(object)) {
    const member = object[key]
    if (typeof member === 'object' && member !== before[key]) freezeDeep(member, before[key])
  }
}

/** Freezes a value before its parts, because it may hold itself. Returns whether its parts are to be walked. */
function begin(value: object): boolean {
  if (!Object.isFrozen(value)) {
    Object.freeze(value)
    return true
  }
  if (WALKED.has(value)) return false
  WALKED.add(value)
  return true
}

type Members = Readonly<Record<string, unknown>>

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function isPlainObject(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
