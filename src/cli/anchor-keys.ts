import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const KEY_FILE_BYTES_MAX = 65_536

/** The first one signs, all of them are accepted. The fault says why there are none. */
export type AnchorKeys =
  | { readonly status: 'read'; readonly keys: readonly string[] }
  | { readonly status: 'unusable'; readonly fault: string }

/** The keys for a store: those of the file, else of SECRET, else those that a server has kept beside the store. */
export function anchorKeysFor(store: string, keyFile: string | undefined): AnchorKeys {
  if (keyFile !== undefined) return keysInFile(keyFile)
  const given = process.env['SECRET'] ?? secretBeside(store)
  return { status: 'read', keys: keysBetween(',', given ?? '') }
}

function keysBetween(separator: string, text: string): readonly string[] {
  return text
    .split(separator)
    .map((key) => key.trim())
    .filter((key) => key !== '')
}

/** One key a line, the newest first. */
function keysInFile(file: string): AnchorKeys {
  try {
    const text = textOf(file)
    if (text === undefined) {
      const state = `it holds more than ${KEY_FILE_BYTES_MAX} bytes`
      return unusable(file, `${state}; name a file with one key on each line`)
    }
    const keys = keysBetween('\n', text)
    if (keys.length > 0) return { status: 'read', keys }
    return unusable(file, 'it is empty; put one key on each line')
  } catch (error) {
    return unusable(file, error instanceof Error ? error.message : String(error))
  }
}

function unusable(file: string, why: string): AnchorKeys {
  return { status: 'unusable', fault: `Cannot take a key from the file "${file}": ${why}` }
}

/** Undefined when it is too long. It may be a pipe of a secret store, which has no size. */
function textOf(file: string): string | undefined {
  const bytes = Buffer.alloc(KEY_FILE_BYTES_MAX + 1)
  const descriptor = openSync(file, 'r')
  try {
    let size = 0
    for (let read = 1; read > 0 && size < bytes.length; size += read) {
      read = readSync(descriptor, bytes, size, bytes.length - size, null)
    }
    return size > KEY_FILE_BYTES_MAX ? undefined : bytes.toString('utf8', 0, size)
  } finally {
    closeSync(descriptor)
  }
}

function secretBeside(store: string): string | undefined {
  const file = join(dirname(store.replace(/^sqlite:/, '')), 'secret')
  return store.startsWith('sqlite:') && existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
