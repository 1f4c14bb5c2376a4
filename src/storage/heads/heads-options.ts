import { LogError } from '../../log/index.ts'

/** What becomes of a store whose heads no key has signed when it is opened with keys. */
export type UnsignedHeads = 'adopt' | 'refuse'

export interface HeadsOptions {
  /** Sign the heads: the first signs, all are accepted. Without any they carry a checksum only. */
  readonly anchorKeys?: readonly string[]
  /** The path of the heads file; by default beside a SQLite database, and none for Postgres. */
  readonly headsFile?: string
  /** A store that was opened without keys adopts the first one, by default, and keeps the moment on record. */
  readonly unsignedHeads?: UnsignedHeads
}

export function adoptionWarning(heads: string): string {
  const means = 'no key vouches for what its threads held before this moment'
  return `The heads in "${heads}" have adopted their first key: ${means}; verify names the place in each thread`
}

/** @throws {@link LogError} `configuration` for an empty key, with which anybody can sign */
export function keysIn({ anchorKeys = [] }: HeadsOptions): readonly string[] {
  if (!anchorKeys.includes('')) return anchorKeys
  const mend = 'give keys of 32 bytes or more, or leave anchorKeys out'
  throw new LogError('configuration', `Cannot sign the heads: an anchor key is empty; ${mend}`)
}
