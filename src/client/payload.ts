import type { Json } from '../json/index.ts'
import { broken } from './client-error.ts'
import type { Frame } from './frames.ts'
import { members, parseJson } from './json.ts'

/** The members of a named frame's data. */
export type Payload = ReturnType<typeof members>

/** @throws {@link ClientError} `protocol` */
export function payload(frame: Frame & { type: 'frame' }): Payload {
  return members(parseJson(frame.data ?? '', `the frame "${frame.event}"`))
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
