import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'

export interface Packed {
  readonly tarball: string
  /** Bytes of the tarball. */
  readonly size: number
  readonly files: readonly string[]
  /** The folder of a program in which the package and its dependencies are installed. */
  readonly consumer: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The package for publishing, packed once for all its tests. */
    readonly packed: Packed
  }
}

interface PackReport {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

const folder = mkdtempSync(join(tmpdir(), 'throughline-packed-'))

export function setup(project: TestProject): void {
  const pack = ['pack', '--json', '--loglevel=error', '--pack-destination', folder]
  const printed = execFileSync('npm', pack, { encoding: 'utf8' })
  // The build writes before the report.
  const reports = JSON.parse(printed.slice(printed.search(/^[[{]/m))) as PackReport[]
  const [report] = Object.values(reports)
  if (!report) throw new Error(`Cannot pack the package: npm printed ${printed}`)
  const tarball = join(folder, report.filename)
  const consumer = join(folder, 'consumer')
  install(tarball, consumer)
  const files = report.files.map(({ path }) => path)
  project.provide('packed', { tarball, size: report.size, files, consumer })
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Installs the package with its dependencies, and without its optional peers. */
function install(tarball: string, consumer: string): void {
  const installed = join(consumer, 'node_modules/throughline')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
  const manifest = readFileSync(join(installed, 'package.json'), 'utf8')
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> }
  for (const name of Object.keys(dependencies)) {
    const place = join(consumer, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(resolve('node_modules', name), place)
  }
}
