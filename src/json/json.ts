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
