import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder that the pages were built into, once for all tests of pages. */
    readonly pages: string
    /** What the build of the pages warned of. */
    readonly pageWarnings: string
  }
}

const folder = join(tmpdir(), `throughline-pages-${randomUUID()}`)

export function setup(project: TestProject): void {
  // The runner's own NODE_ENV would bundle React as developers get it.
  const env = { ...process.env, NODE_ENV: 'production' }
  const vite = join('node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--logLevel', 'warn', '--outDir', folder]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`Cannot build the pages: ${stderr}`)
  project.provide('pages', folder)
  project.provide('pageWarnings', stdout + stderr)
}

export function teardown(): Promise<void> {
  return rm(folder, { recursive: true, force: true })
}
