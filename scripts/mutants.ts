import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const MUTANTS_FOLDER = 'test/mutants'

/** A deliberate break of the product, and the tests that have to notice it. */
export interface Mutant {
  readonly name: string
  readonly patch: string
  readonly promise: string
  readonly tests: readonly string[]
  readonly breaks: readonly string[]
}

/** Every mutant of a checkout, by name. */
export function readMutants(checkout: string): readonly Mutant[] {
  const folder = join(checkout, MUTANTS_FOLDER)
  const files = readdirSync(folder).filter((file) => file.endsWith('.patch'))
  return files.toSorted().map((file) => {
    return parseMutant(file, readFileSync(join(folder, file), 'utf8'))
  })
}

export function parseMutant(file: string, text: string): Mutant {
  const name = file.replace(/\.patch$/, '')
  const header = /^Promise: ([A-Z]\d{1,2})\nTests: (\S+(?: \S+)*)\n\n(?=diff --git )/.exec(text)
  const [, promise = '', tests = ''] = header ?? []
  if (header === null) {
    throw new Error(
      `Cannot read "${file}": it does not begin with Promise, Tests and an empty line`,
    )
  }
  if (!name.startsWith(`${promise}-`)) {
    throw new Error(`Cannot read "${file}": its name does not begin with its promise, ${promise}`)
  }
  const breaks = [...text.matchAll(/^diff --git a\/(\S+) b\/\S+$/gm)].map(([, path = '']) => path)
  const outside = breaks.find((path) => !isProduct(path))
  if (outside !== undefined)
    throw new Error(`Cannot read "${file}": "${outside}" is no product source`)
  return { name, patch: join(MUTANTS_FOLDER, file), promise, tests: tests.split(' '), breaks }
}

function isProduct(path: string): boolean {
  return /^(src|apps)\//.test(path) && !/\.(test|fixture|contract)\.tsx?$/.test(path)
}
