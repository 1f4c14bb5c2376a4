/** Any value that JSON can carry without loss. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export type JsonObject = { readonly [key: string]: Json | undefined }

/** Whether a value is an object, and no array. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether JSON carries a value without loss: the text of it parses to an equal one. */
export function isJson(value: unknown): value is Json {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean'
  if (value === null) return true
  if (Array.isArray(value)) {
    // An array with gaps or extra members has another number of keys.
    return Object.keys(value).length === value.length && value.every(isJson)
  }
  return (
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.getOwnPropertySymbols(value).length === 0 &&
    Object.values(value).every(isJson)
  )
}

/** Whether two values are the same, in whatever order their members stand. */
export function equalJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (isJsonArray(one) && isJsonArray(other)) {
    return one.length === other.length && one.every((item, at) => equalJson(item, other[at]))
  }
  return isJsonObject(one) && isJsonObject(other) && hasEqualMembers(one, other)
}

function hasEqualMembers(one: JsonObject, other: JsonObject): boolean {
  return (
    Object.keys(one).every((key) => equalJson(one[key], ownMember(other, key))) &&
    Object.keys(other).every((key) => other[key] === undefined || Object.hasOwn(one, key))
  )
}

/** Whether a value is an array. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** Returns a member that an object has itself, not one that it inherits. */
export function ownMember(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Returns the members of a value, or none when it is not an object. */
export function membersOf(data: Json): JsonObject {
  return isJsonObject(data) ? data : {}
}

/** Returns a string member of a value, or the empty string. */
export function textOf(data: Json, member: string): string {
  const value = membersOf(data)[member]
  return typeof value === 'string' ? value : ''
}

/** Returns the first characters of a text, at most `max`, none of them half; a half that it holds is U+FFFD. */
export function startOf(text: string, max: number): string {
  return text.slice(0, isWithin(text, max) ? max - 1 : max).toWellFormed()
}

/** Returns the last characters of a text, at most `max`, as {@link startOf} returns the first. */
export function endOf(text: string, max: number): string {
  const from = Math.max(0, text.length - max)
  return text.slice(isWithin(text, from) ? from + 1 : from).toWellFormed()
}

/** Whether a place in a text is within a character. */
function isWithin(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xff_ff
}

/** Returns a value as JSON text of at most `max` characters, with an ellipsis after a cut. */
export function shortJson(value: Json, max: number): string {
  const text = JSON.stringify(value)
  return text.length <= max ? text : `${startOf(text, max)}…`
}

/** Returns names for a message, such as `"a", "b"`; of no names the empty text. */
export function quotedNames(names: Iterable<string>): string {
  return Array.from(names, (name) => `"${name}"`).join(', ')
}
