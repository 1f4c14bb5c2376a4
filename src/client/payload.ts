import { membersOf } from '../json/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import { ClientError, broken } from './client-error.ts'
import type { Frame } from './frames.ts'

/** @throws {@link ClientError} `protocol` */
export function parseJson(text: string, origin: string): Json {
  try {
    // JSON.parse yields nothing but Json; its declared type is any.
    return JSON.parse(text) as Json
  } catch (cause) {
    throw new ClientError('protocol', `Cannot read ${origin}: it is not JSON`, { cause })
  }
}

/**
 * The members of a named frame's data.
 *
 * @throws {@link ClientError} `protocol`
 */
export function payload(frame: Frame & { type: 'frame' }): JsonObject {
  return membersOf(parseJson(frame.data ?? '', `the frame "${frame.event}"`))
}

/** @throws {@link ClientError} `protocol` */
export function text(value: Json | undefined, name: string): string {
  if (typeof value !== 'string') throw broken(`${name} is no text`)
  return value
}

/** @throws {@link ClientError} `protocol` */
export function position(value: Json | undefined, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < -1) {
    throw broken(`${name} is no position`)
  }
  return value
}
