import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SubjectKey } from '../log/index.ts'

/** A text under a key: AES-256-GCM, the tag behind the bytes, both parts in base64. */
export interface Sealed {
  /** The id of the key. */
  readonly key: string
  readonly iv: string
  readonly bytes: string
}

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** `place` is where the text belongs: elsewhere it does not open. */
export function sealText({ id, bytes }: SubjectKey, place: string, text: string): Sealed {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, bytes, iv).setAAD(Buffer.from(place))
  const sealed = [cipher.update(text, 'utf8'), cipher.final()]
  const whole = Buffer.concat([...sealed, cipher.getAuthTag()])
  return { key: id, iv: iv.toString('base64'), bytes: whole.toString('base64') }
}

/** Nothing where it was sealed with another key or for another place, or was changed since. */
export function openText(
  { id, bytes }: SubjectKey,
  place: string,
  sealed: Sealed,
): string | undefined {
  if (sealed.key !== id) return undefined
  const whole = Buffer.from(sealed.bytes, 'base64')
  const tagAt = whole.length - TAG_BYTES
  if (tagAt < 0) return undefined
  try {
    const decipher = createDecipheriv(ALGORITHM, bytes, Buffer.from(sealed.iv, 'base64'))
    decipher.setAAD(Buffer.from(place)).setAuthTag(whole.subarray(tagAt))
    return decipher.update(whole.subarray(0, tagAt), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
