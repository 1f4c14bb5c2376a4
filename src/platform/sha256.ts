import { hash } from 'node:crypto'

/** Hex SHA-256 of a text's UTF-8 bytes. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}
