import { sha256 as digestOf } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Hex SHA-256 of a text's UTF-8 bytes. */
export function sha256(text: string): string {
  return bytesToHex(digestOf(utf8ToBytes(text)))
}
