import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseMutant, readMutants } from './mutants.ts'
import { PROMISES } from './promises.ts'

const mutants = readMutants('.')

test('every mutant names tests that exist', () => {
  const missing = mutants.flatMap(({ name, tests }) =>
    tests.filter((file) => !existsSync(file)).map((file) => `${name}: ${file}`),
  )
  expect(missing).toEqual([])
})

test('every mutant applies to the product as it is: make its patch anew', () => {
  const stale = mutants.filter(({ patch }) => !applies(patch))
  expect(stale.map(({ name }) => name)).toEqual([])
})

function applies(patch: string): boolean {
  try {
    execFileSync('git', ['apply', '--check', patch], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('every promise has a mutant that its test notices: break the product and keep the patch', () => {
  const broken = new Set(mutants.map(({ promise }) => promise))
  const due = PROMISES.filter(({ tier }) => tier !== 'later').map(({ id }) => id)
  expect(due.filter((id) => !broken.has(id))).toEqual([])
})

test('docs/promises.md has a row for every promise, in their order: run npm run test:full', () => {
  const rows = readFileSync('docs/promises.md', 'utf8').matchAll(/^\| ([A-Z]\d{1,2}) \|/gm)
  expect([...rows].map(([, id]) => id)).toEqual(PROMISES.map(({ id }) => id))
})

const DIFF = 'diff --git a/src/log/append.ts b/src/log/append.ts\n'

test.each([
  ['no header', DIFF, 'it does not begin with Promise, Tests and an empty line'],
  ['no tests', `Promise: S4\n\n${DIFF}`, 'it does not begin with'],
  ['another promise', `Promise: S5\nTests: a.test.ts\n\n${DIFF}`, 'its name does not begin with'],
  [
    'a break of a test',
    `Promise: S4\nTests: a.test.ts\n\n${DIFF.replaceAll('append.ts', 'chain.test.ts')}`,
    '"src/log/chain.test.ts" is no product source',
  ],
])('a mutant with %s is refused', (_name, text, why) => {
  expect(() => parseMutant('S4-anything.patch', text)).toThrow(why)
})
