import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

/** An empty folder that goes when the tests of the file have run: test/remove-folders.ts. */
export function newFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'throughline-'))
  folders.push(folder)
  return folder
}

/** A program that was just told to end may still write into its folder. */
export function removeFolders(): void {
  for (const folder of folders.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
