import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readFigures } from './figures.ts'
import { readMutants } from './mutants.ts'
import { writePage } from './promises-page.ts'
import { PROMISES } from './promises.ts'

const PAGE = 'docs/promises.md'

/** Writes docs/promises.md from docs/promises.json. */
export function writePromises(): void {
  const mutants = readMutants('.')
  const tests = titledTests()
  const page = writePage(readFigures(), {
    promises: PROMISES,
    filesOf: (id) => tests.filter(({ ids }) => ids.has(id)).map(({ file }) => file),
    mutantsOf: (id) => mutants.filter(({ promise }) => promise === id),
  })
  writeFileSync(PAGE, page)
}

/** Returns the ids of the promises that a text names in brackets. */
export function idsIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\[([A-Z]\d{1,2})\]/g)].map(([, id = '']) => id))
}

function titledTests() {
  const tests = git('ls-files', '--cached', '--others', '--exclude-standard')
    .split('\n')
    .filter((file) => /\.(test|contract)\.tsx?$/.test(file) && existsSync(file))
  return tests.toSorted().map((file) => ({ file, ids: idsIn(readFileSync(file, 'utf8')) }))
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' })
}

if (import.meta.main) writePromises()
