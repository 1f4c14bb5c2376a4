import { createHash } from 'node:crypto'
import { PROGRAM_REQUEST_CHARS_MAX } from './limits.ts'

/** The name of a request for permission on record: the program's own id, or the SHA-256 of a long one. */
export function permissionName(id: string): string {
  if (id.length <= PROGRAM_REQUEST_CHARS_MAX) return id
  return createHash('sha256').update(id).digest('hex')
}
