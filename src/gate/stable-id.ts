import { sha256 } from '../platform/index.ts'

/** A UUID (version 8) that is the same for the same parts: a repeated append finds the first one. */
export function stableId(...parts: readonly string[]): string {
  const hex = sha256(JSON.stringify(parts))
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
