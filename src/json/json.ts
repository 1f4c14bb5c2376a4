/** Any value that JSON can carry without loss. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/** Returns the members of a value, or none when it is not an object. */
export function membersOf(data: Json): Readonly<Record<string, Json | undefined>> {
  // Narrowed by hand: Array.isArray does not narrow readonly arrays away.
  return data !== null && typeof data === 'object' && !Array.isArray(data)
    ? (data as Readonly<Record<string, Json | undefined>>)
    : {}
}

/** Returns a string member of a value, or the empty string. */
export function textOf(data: Json, member: string): string {
  const value = membersOf(data)[member]
  return typeof value === 'string' ? value : ''
}
