import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { REFERENCE, referencePage } from './reference.ts'

const page = readFileSync(REFERENCE, 'utf8')

test('docs/reference.md lists every name that the package exports: run npm run api', () => {
  expect(page).toBe(referencePage(JSON.parse(readFileSync('package.json', 'utf8'))))
})

test('each function, class and value that the package exports says what it is', () => {
  const rows = page.matchAll(/^\| `(\w+)` \| ([a-z ]*) \| (.*) \|$/gm)
  const silent = [...rows].filter(
    ([, , kind, says]) => says === '' && !/interface|type/.test(kind ?? ''),
  )
  expect(silent.map(([, name]) => name)).toEqual([])
})
