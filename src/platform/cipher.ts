import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/** A text under a key: AES-256-GCM, the tag behind the bytes, both parts in base64. */
export interface Ciphertext {
  readonly iv: string
  readonly bytes: string
}

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** `place` is where the text belongs: elsewhere it cannot be decrypted. */
export function encrypt(key: Uint8Array, place: string, text: string): Ciphertext {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, preparedKey(key), iv).setAAD(Buffer.from(place))
  const whole = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { iv: iv.toString('base64'), bytes: whole.toString('base64') }
}

/** Nothing where it has another key or place, or was changed since. */
export function decrypt(key: Uint8Array, place: string, given: Ciphertext): string | undefined {
  const whole = Buffer.from(given.bytes, 'base64')
  const tagAt = whole.length - TAG_BYTES
  if (tagAt < 0) return undefined
  try {
    const decipher = createDecipheriv(ALGORITHM, preparedKey(key), Buffer.from(given.iv, 'base64'))
    decipher.setAAD(Buffer.from(place)).setAuthTag(whole.subarray(tagAt))
    return decipher.update(whole.subarray(0, tagAt), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}

/** Keys as the cipher takes them: to make one from bytes costs more than to use it. */
const prepared = new WeakMap<Uint8Array, KeyObject>()

function preparedKey(bytes: Uint8Array): KeyObject {
  const known = prepared.get(bytes)
  if (known) return known
  const made = createSecretKey(bytes)
  prepared.set(bytes, made)
  return made
}
