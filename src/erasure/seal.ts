import type { SubjectKey } from '../log/index.ts'
import { decrypt, encrypt } from '../platform/index.ts'
import type { Ciphertext } from '../platform/index.ts'

/** A text that only its key opens. */
export interface Sealed extends Ciphertext {
  /** The id of the key. */
  readonly key: string
}

/** `place` is where the text belongs: elsewhere it does not open. */
export function sealText({ id: key, bytes }: SubjectKey, place: string, text: string): Sealed {
  return { key, ...encrypt(bytes, place, text) }
}

/** Nothing where it was sealed with another key or for another place, or was changed since. */
export function openText(
  { id, bytes }: SubjectKey,
  place: string,
  sealed: Sealed,
): string | undefined {
  return sealed.key === id ? decrypt(bytes, place, sealed) : undefined
}
