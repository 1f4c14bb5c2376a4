import type { Json } from '../json/index.ts'
import { ClientError } from './client-error.ts'

/** @throws {@link ClientError} `protocol` */
export function parseJson(text: string, origin: string): Json {
  try {
    // JSON.parse yields nothing but Json; its declared type is any.
    return JSON.parse(text) as Json
  } catch (cause) {
    throw new ClientError('protocol', `Cannot read ${origin}: it is not JSON`, { cause })
  }
}

/** The members of a JSON object; of anything else, none. */
export function members(value: Json): { readonly [key: string]: Json | undefined } {
  // Array.isArray does not narrow readonly arrays, hence the cast.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Json | undefined })
    : {}
}
