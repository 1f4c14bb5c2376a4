import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { applyEdit, parseMutants, readMutants } from './mutants.ts'
import type { Mutant } from './mutants.ts'
import { PROMISES } from './promises.ts'

const mutants = readMutants('.')

test('every mutant names a promise of scripts/promises.ts', () => {
  const ids = new Set(PROMISES.map(({ id }) => id))
  expect(mutants.filter(({ promise }) => !ids.has(promise)).map(({ name }) => name)).toEqual([])
})

test('every mutant names tests that exist and carry its promise in a title', () => {
  const wrong = mutants.filter(
    ({ promise, tests }) => !tests.every((file) => carries(file, promise)),
  )
  expect(wrong.map(({ name, tests }) => `${name}: ${tests.join(' ')}`)).toEqual([])
})

test('the text of every mutant matches once in the product: adapt it when the code changes', () => {
  expect(mutants.flatMap(mismatches)).toEqual([])
})

function carries(file: string, promise: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8').includes(`[${promise}]`)
}

function mismatches({ name, edits }: Mutant): readonly string[] {
  return edits.flatMap((edit) => {
    try {
      applyEdit(name, edit, readFileSync(edit.file, 'utf8'))
      return []
    } catch (error) {
      return [String(error)]
    }
  })
}

test('every promise has a mutant: break the product as the promise excludes and keep the edit', () => {
  const broken = new Set(mutants.map(({ promise }) => promise))
  const due = PROMISES.filter(({ tier }) => tier !== 'later').map(({ id }) => id)
  expect(due.filter((id) => !broken.has(id))).toEqual([])
})

const HEADER = 'Mutant: S4-anything\nTests: a.test.ts\n\n'
const blockOf = (file: string, from: string, to: string) =>
  `File: ${file}\n<<<<<<<\n${from}\n=======\n${to}>>>>>>>\n`
const BLOCK = blockOf('src/log/append.ts', 'head.seq', 'head.seq + 1\n')

test('a mutant edits texts of one or several files; an empty new text deletes', () => {
  const text = `${HEADER}${BLOCK}\n${blockOf('src/log/chain.ts', 'one\ntwo', '')}`
  const more = text.replace('S4-anything', 'S4-more')
  const mutant = {
    promise: 'S4',
    tests: ['a.test.ts'],
    edits: [
      { file: 'src/log/append.ts', from: 'head.seq', to: 'head.seq + 1' },
      { file: 'src/log/chain.ts', from: 'one\ntwo', to: '' },
    ],
    room: 'log.mutants',
  }
  expect(parseMutants('log.mutants', `${text}\n${more}`)).toEqual([
    { name: 'S4-anything', ...mutant },
    { name: 'S4-more', ...mutant },
  ])
})

test.each([
  ['no header', BLOCK, 'Cannot read "log.mutants": it must begin with the line Mutant'],
  ['no mutant', '', 'Cannot read "log.mutants": it must begin with the line Mutant'],
  [
    'no tests',
    `Mutant: S4-anything\n\n${BLOCK}`,
    'Cannot read "S4-anything" in "log.mutants": it must begin with the lines Mutant',
  ],
  [
    'a name without a promise',
    `Mutant: anything\nTests: a.test.ts\n\n${BLOCK}`,
    'Cannot read "anything" in "log.mutants": it must begin with the lines Mutant',
  ],
  ['no edit', HEADER, 'Cannot read "S4-anything": it has no File block'],
  [
    'an edit without its end',
    `${HEADER}${BLOCK.replace('>>>>>>>', '')}`,
    'Cannot read "S4-anything": "File: src/log/append.ts" is not followed by <<<<<<<',
  ],
  [
    'an edit without a text to match',
    `${HEADER}File: src/log/append.ts\n<<<<<<<\n=======\nmore\n>>>>>>>\n`,
    'Cannot read "S4-anything": "File: src/log/append.ts" is not followed by <<<<<<<',
  ],
  [
    'an edit of a test',
    `${HEADER}${BLOCK.replace('append.ts', 'chain.test.ts')}`,
    'Cannot read "S4-anything": "src/log/chain.test.ts" is not a source file of the product',
  ],
])('mutants with %s are refused', (_name, text, why) => {
  expect(() => parseMutants('log.mutants', text)).toThrow(why)
})

test('a file of another kind among the mutants is refused', () => {
  expect(() => parseMutants('log.patch', HEADER + BLOCK)).toThrow('ends with .mutants')
})

test('an edit replaces its text literally, special characters included', () => {
  const edit = { file: 'src/a.ts', from: 'b.*', to: '$&' }
  expect(applyEdit('S4-a', edit, 'a b.* c')).toBe('a $& c')
})

test.each([
  [0, 'a c'],
  [2, 'b, b'],
])('an edit whose text matches %i times is refused', (times, text) => {
  expect(() => applyEdit('S4-a', { file: 'src/a.ts', from: 'b', to: 'x' }, text)).toThrow(
    `Cannot apply "S4-a": its text must match once in src/a.ts, it matches ${times} times`,
  )
})
