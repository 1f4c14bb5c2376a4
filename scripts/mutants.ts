import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const MUTANTS_FOLDER = 'test/mutants'

/** Replaces one text of a file; `from` must occur exactly once. */
export interface Edit {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** A deliberate break of the product, and the tests that must notice it. */
export interface Mutant {
  readonly name: string
  readonly promise: string
  readonly tests: readonly string[]
  readonly edits: readonly Edit[]
  /** The file that holds it, of the room whose product it breaks first. */
  readonly room: string
}

/** Reads every mutant of a checkout, sorted by name. */
export function readMutants(checkout: string): readonly Mutant[] {
  const folder = join(checkout, MUTANTS_FOLDER)
  const mutants = readdirSync(folder).flatMap((file) =>
    parseMutants(file, readFileSync(join(folder, file), 'utf8')),
  )
  return mutants.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

export function parseMutants(file: string, text: string): readonly Mutant[] {
  if (!file.endsWith('.mutants')) {
    throw new Error(`Cannot read "${file}": a file of mutants ends with .mutants`)
  }
  const parts = text.split(/^(?=Mutant: )/m)
  if (!text.startsWith('Mutant: ')) {
    throw new Error(`Cannot read "${file}": it must begin with the line Mutant`)
  }
  return parts.map((part) => parseMutant(file, part))
}

function parseMutant(room: string, text: string): Mutant {
  const [header = '', ...blocks] = text.split(/^(?=File: )/m)
  const [, name = ''] = /^Mutant: (.*)\n/.exec(header) ?? []
  const parsed = /^Mutant: (([A-Z]\d{1,2})-\S+)\nTests: (\S+(?: \S+)*)\n\n$/.exec(header)
  if (parsed === null) {
    throw new Error(
      `Cannot read "${name}" in "${room}": it must begin with the lines Mutant, with a promise before the first "-", and Tests, and an empty line`,
    )
  }
  const [, , promise = '', tests = ''] = parsed
  if (blocks.length === 0) throw new Error(`Cannot read "${name}": it has no File block`)
  const edits = blocks.map((block) => parseEdit(name, block))
  return { name, promise, tests: tests.split(' '), edits, room }
}

function parseEdit(mutant: string, block: string): Edit {
  const parsed = /^File: (\S+)\n<{7}\n([^]+?)\n={7}\n(?:([^]*?)\n)?>{7}\n*$/.exec(block)
  if (parsed === null) {
    const [first] = block.split('\n', 1)
    throw new Error(
      `Cannot read "${mutant}": "${first}" is not followed by <<<<<<<, a text, =======, the broken text and >>>>>>>`,
    )
  }
  const [, file = '', from = '', to = ''] = parsed
  if (!isProduct(file)) {
    throw new Error(`Cannot read "${mutant}": "${file}" is not a source file of the product`)
  }
  return { file, from, to }
}

/** Returns the broken text of the edit's file. */
export function applyEdit(mutant: string, { file, from, to }: Edit, text: string): string {
  const [before = '', ...rest] = text.split(from)
  if (rest.length !== 1) {
    throw new Error(
      `Cannot apply "${mutant}": its text must match once in ${file}, it matches ${rest.length} times`,
    )
  }
  return before + to + rest.join('')
}

function isProduct(path: string): boolean {
  return /^(src|apps|scripts)\//.test(path) && !/\.(test|fixture|contract)\.tsx?$/.test(path)
}
