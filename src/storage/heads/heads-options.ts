import { kindOf } from '../../json/index.ts'
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

/**
 * The keys that sign and are accepted. A program without types may give anything.
 *
 * @throws {@link LogError} `configuration` for what is no list of texts, and for an empty key, with which anybody
 *   can sign
 */
export function keysIn(options: HeadsOptions): readonly string[] {
  const keys: unknown = options.anchorKeys
  if (keys === undefined) return []
  const why = whyNoKeys(keys)
  if (why === undefined) return keys as readonly string[]
  const mend = 'give a list of keys of 32 bytes or more, or leave anchorKeys out'
  throw new LogError('configuration', `Cannot sign the heads: ${why}; ${mend}`)
}

function whyNoKeys(keys: unknown): string | undefined {
  if (!Array.isArray(keys)) return `anchorKeys is ${kindOf(keys)}`
  const unfit: unknown[] = keys.filter((key) => typeof key !== 'string')
  if (unfit.length > 0) return `an anchor key is ${kindOf(unfit[0])}`
  return keys.includes('') ? 'an anchor key is empty' : undefined
}
