import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BODY_DEPTH_MAX, parseStrictJson } from './strict-json.ts'

test('[X3] [X5] whatever JSON there is means the same here', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 10 }), (text) => {
      fc.pre(!/"(__proto__|constructor)"/.test(text))
      expect(parseStrictJson(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('[X2] nesting has a bound', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(parseStrictJson(nested(BODY_DEPTH_MAX))).toBeDefined()
  expect(() => parseStrictJson(nested(BODY_DEPTH_MAX + 1))).toThrow('nested deeper')
})

test.each([
  ['a name given twice', '{"a":1,"a":1}', 'twice'],
  ['a name given twice, once escaped', '{"a":1,"\\u0061":1}', 'twice'],
  ['__proto__', '{"a":[{"__proto__":{}}]}', '__proto__'],
  ['an escaped __proto__', '{"__pr\\u006fto__":1}', '__proto__'],
  ['constructor', '{"constructor":1}', 'constructor'],
  ['a string that never ends', '{"a":"\\"}', 'not JSON'],
  ['1e400', '[1e400]', 'too large'],
  ['-1e400', '[-1e400]', 'too large'],
  ['1e-400', '[1e-400]', 'read as 0'],
  ['-0', '[-0]', 'read as 0'],
  ['-0.0e5', '[-0.0e5]', 'read as 0'],
  ['2^53 + 1', '[9007199254740993]', 'last digits'],
  ['a leading zero', '[01]', 'begins with 0'],
  ['a number without an end', '[1', 'not JSON'],
])('[X4] %s is refused', (_name, text, why) => {
  expect(() => parseStrictJson(text)).toThrow(why)
})

test.each([
  '0',
  '0.0',
  '0e5',
  '1e21',
  '100000000000000000000',
  '9007199254740992',
  '0.1',
  '-5.5e-7',
])('[X5] %s is the number that it says', (text) => {
  expect(parseStrictJson(`[${text}]`)).toEqual([Number(text)])
})

test('the error quotes no word of the text', () => {
  expect(() => parseStrictJson('{"name": Sarah}')).toThrow(/^it is not JSON$/)
  expect(() => parseStrictJson('{"name" Sarah}')).toThrow(/^it is not JSON at line 1 column 9$/)
})

test('colons and braces in strings are text', () => {
  expect(parseStrictJson('{"a:{":":[{\\"::"}')).toEqual({ 'a:{': ':[{"::' })
})
