import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Puts the names in a folder on the disk: those of a file that was made or renamed. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
