import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const PAGES = 'dist/pages'
/** Names what the pages were built from; the server serves no file of this folder but pages and assets. */
const BUILT_FROM = 'built-from.txt'
const SOURCES = [
  '{apps,src,scripts/pages}/**/*',
  '{vite.config.ts,package.json,package-lock.json,tsconfig*.json}',
]

/**
 * Builds the pages into a folder of their own and then puts it in the place of the last one, so that a
 * server that runs from this checkout has its pages all the time. Does nothing where the sources are those
 * of the last build.
 */
function buildPages(): void {
  const digest = digestOfSources()
  if (builtFrom(PAGES) === digest) return
  const [next, last] = [`${PAGES}-next-${process.pid}`, `${PAGES}-last-${process.pid}`]
  try {
    const folder = join('..', next)
    execFileSync('vite', ['build', '--logLevel', 'warn', '--outDir', folder], { stdio: 'inherit' })
    writeFileSync(join(next, BUILT_FROM), digest)
    if (existsSync(PAGES)) renameSync(PAGES, last)
    renameSync(next, PAGES)
  } finally {
    for (const folder of [next, last]) rmSync(folder, { recursive: true, force: true })
  }
}

function builtFrom(folder: string): string | undefined {
  const file = join(folder, BUILT_FROM)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function digestOfSources(): string {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap((pattern) => globSync(pattern)).toSorted()) {
    if (/\.test\.tsx?$/.test(file) || !statSync(file).isFile()) continue
    hash.update(`${file}\n`).update(createHash('sha256').update(readFileSync(file)).digest())
  }
  return hash.digest('hex')
}

buildPages()
