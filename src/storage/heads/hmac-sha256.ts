import { hash } from 'node:crypto'

const BLOCK_BYTES = 64
const HASH_BYTES = 32

/**
 * Hex HMAC-SHA-256 under one key, after RFC 2104. `createHmac` makes an object for every text, which
 * costs a commit more than the hashing.
 */
export function hmacSha256(key: string): (...parts: readonly Uint8Array[]) => string {
  const bytes = Buffer.from(key)
  const block = Buffer.alloc(BLOCK_BYTES)
  block.set(bytes.length > BLOCK_BYTES ? hash('sha256', bytes, 'buffer') : bytes)
  const inner = block.map((byte) => byte ^ 0x36)
  const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES)
  outer.set(block.map((byte) => byte ^ 0x5c))
  return (...parts) => {
    const hashed = hash('sha256', Buffer.concat([inner, ...parts]), 'buffer')
    outer.set(hashed, BLOCK_BYTES)
    return hash('sha256', outer, 'hex')
  }
}
