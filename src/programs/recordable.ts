import type { Json } from '../json/index.ts'
import { faultOf } from '../log/index.ts'
import { REMOTE_VALUE_CHARS_MAX } from './limits.ts'

/** Whether a value that a program sent goes on record as it came: no log can hold some that JSON can. */
export function isRecordable(value: unknown): boolean {
  if (JSON.stringify(value).length > REMOTE_VALUE_CHARS_MAX) return false
  // The question is whether the log can hold it.
  return faultOf({ type: 'CUSTOM', data: value as Json }) === undefined
}
