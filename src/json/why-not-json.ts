/** A place in a value, as links: only a refusal makes a path of them. */
interface Place {
  readonly name: string | number
  readonly inside?: { readonly of: object; readonly at: Place }
}

/**
 * Says where a value cannot be kept as JSON, and why, such as `state.paidAt is of the class Date`; `undefined`
 * when it can. A member of an object may be `undefined`. Parts that `before` shares are not looked at.
 */
export function whyNotJson(value: unknown, name: string, before?: unknown): string | undefined {
  return whyNot(value, before, { name })
}

function whyNot(value: unknown, before: unknown, at: Place): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined
    case 'number':
      return Number.isFinite(value) ? undefined : `${pathOf(at)} is ${value}`
    case 'undefined':
      return `${pathOf(at)} is undefined`
    case 'object':
      return value === null || value === before ? undefined : whyNotParts(value, before, at)
    default:
      return `${pathOf(at)} is of type ${typeof value}`
  }
}

function whyNotParts(value: object, before: unknown, at: Place): string | undefined {
  if (holds(value, at)) return `${pathOf(at)} holds itself`
  const isList = Array.isArray(value)
  if (!isList && !isPlain(value)) return `${pathOf(at)} is of the class ${value.constructor.name}`
  const inside = { of: value, at }
  // A list also gives its gaps.
  const parts: Iterable<[string | number, unknown]> = isList
    ? value.entries()
    : Object.entries(value)
  for (const [name, part] of parts) {
    if (part === undefined && !isList) continue
    const why = whyNot(part, partOf(before, name), { name, inside })
    if (why !== undefined) return why
  }
  return undefined
}

function holds(value: object, { inside }: Place): boolean {
  return inside !== undefined && (inside.of === value || holds(value, inside.at))
}

function partOf(before: unknown, name: string | number): unknown {
  if (typeof before !== 'object' || before === null || !Object.hasOwn(before, name))
    return undefined
  return (before as Readonly<Record<string | number, unknown>>)[name]
}

/** Also true for an object of another realm, whose `Object.prototype` is not ours. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function pathOf({ name, inside }: Place): string {
  if (!inside) return String(name)
  return typeof name === 'number' ? `${pathOf(inside.at)}[${name}]` : `${pathOf(inside.at)}.${name}`
}
