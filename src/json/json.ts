/** Any value that JSON can carry without loss. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export type JsonObject = { readonly [key: string]: Json | undefined }

/** Whether a value is an object, and no array. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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

/** Returns the first `max` characters of a text; U+FFFD replaces half of a character at the cut. */
export function startOf(text: string, max: number): string {
  return text.slice(0, max).toWellFormed()
}

/** Returns a value as JSON text of at most `max` characters, with an ellipsis after a cut. */
export function shortJson(value: Json, max: number): string {
  const text = JSON.stringify(value)
  return text.length <= max ? text : `${startOf(text, max)}…`
}
