import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder that the pages were built into, once for all tests of pages. */
    readonly pages: string
  }
}

const folder = join(tmpdir(), `throughline-pages-${randomUUID()}`)

export function setup(project: TestProject): void {
  // The runner's own NODE_ENV would bundle React as developers get it.
  const env = { ...process.env, NODE_ENV: 'production' }
  execFileSync('npx', ['vite', 'build', '--logLevel', 'error', '--outDir', folder], { env })
  project.provide('pages', folder)
}

export function teardown(): Promise<void> {
  return rm(folder, { recursive: true, force: true })
}
