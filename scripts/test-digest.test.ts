import { expect, test } from 'vitest'
import { digestOfTest } from './test-digest.ts'

const digestOf = (source: string) => digestOfTest('roof.test.ts', source)

const SOURCE = `import { expect, test } from 'vitest'
const DROPS = 7n
test('[D1] the roof holds', async ({ annotate }) => {
  expect(/a+/.test('aa')).toBe(true)
  await annotate(\`0 of \${DROPS} drops\`, 'promise')
})
test.each([1, 2])('[D1] drop %i', (drop) => {
  expect(drop).toBeLessThan(1_000)
})
`

test.each([
  [
    'a comment',
    (text: string) => `// More.\n${text.replace('DROPS = 7n', 'DROPS = /* all */ 7n')}`,
  ],
  ['the layout', (text: string) => text.replaceAll('\n', '\n\n').replace('[1, 2]', '[ 1,2 ]')],
  ['an import', (text: string) => text.replace('{ expect, test }', '{ test, expect, vi }')],
  ['a title', (text: string) => text.replace('the roof holds', 'no drop comes through')],
  ['a title of a table', (text: string) => text.replace("'[D1] drop %i'", '`[D1] ${1} drop %i`')],
  ['how a number is written', (text: string) => text.replace('1_000', '1e3')],
])('%s does not change the digest of a test', (_name, edit) => {
  expect(edit(SOURCE)).not.toBe(SOURCE)
  expect(digestOf(edit(SOURCE))).toBe(digestOf(SOURCE))
})

test.each([
  ['a constant', 'DROPS = 7n', 'DROPS = 8n'],
  ['an expected value', 'toBe(true)', 'toBe(false)'],
  ['a bound', '1_000', '2_000'],
  ['a pattern', '/a+/', '/a*/'],
  ['a row of a table', '[1, 2]', '[1]'],
  ['a figure', 'drops`', 'drops of rain`'],
  ['a check that is gone', "  expect(/a+/.test('aa')).toBe(true)\n", ''],
  ['a test that is skipped', "test('", "test.skip('"],
])('%s changes the digest of a test', (_name, from, to) => {
  expect(SOURCE).toContain(from)
  expect(digestOf(SOURCE.replace(from, to))).not.toBe(digestOf(SOURCE))
})

test('a source that is not TypeScript has no digest', () => {
  expect(() => digestOf('test(')).toThrow('Cannot parse "roof.test.ts"')
})
