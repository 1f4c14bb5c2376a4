import { expect, test } from 'vitest'
import { chance } from '../../test/chance.fixture.ts'
import { visibleJson, visibleText } from './index.ts'

test.each([
  ['ls -la', 'ls -la'],
  ['two\nlines\t✓ é 日本', 'two\nlines\t✓ é 日本'],
  ['a\u202Eb\u2066c', 'a‹U+202E›b‹U+2066›c'],
  ['a\u200B\u200Bb\uFEFF\u00AD', 'a‹U+200B × 2›b‹U+FEFF›‹U+00AD›'],
  ['\u2028\u00A0\u3000\u2800\u3164\u115F', '‹U+2028›‹U+00A0›‹U+3000›‹U+2800›‹U+3164›‹U+115F›'],
  [`ls${' '.repeat(11_000)}; evil`, 'ls‹U+0020 × 11000›; evil'],
  [`${' '.repeat(40)}x`, `${' '.repeat(40)}x`],
  ['a\n\n\n\n\nb', 'a‹U+000A × 5›b'],
  [String.raw`a\n\n\n\n\nb`, String.raw`a\n\n\n\n\nb`],
  ['\\\n\n\n\n', '\\‹U+000A × 4›'],
  ['e\u0301', 'e\u0301'],
  ['e\u0301\u0302\u0303\u0304', 'e‹U+0301›‹U+0302›‹U+0303›‹U+0304›'],
  ['a ‹U+202E› b', 'a ‹U+2039›U+202E‹U+203A› b'],
  ['\u{E0041}\u{1F468}\u200D', '‹U+E0041›\u{1F468}‹U+200D›'],
])('%j is shown as %j', (text, shown) => expect(visibleText(text)).toBe(shown))

test('a lone half of a character is shown by its number in JSON', () => {
  expect(visibleJson(JSON.stringify('a\uD800'))).toBe(String.raw`"a\ud800"`)
})

const PARTS = [
  'a',
  ' ',
  '\n',
  '\\',
  '‹',
  '›',
  'U+',
  '0020',
  ' × ',
  '\u202E',
  '\u0301',
  '\u200B',
  '"',
]

test('different texts are shown differently, and each shown one is written back', () => {
  const random = chance(7)
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: 60 }, () => {
      const part = PARTS[Math.floor(random() * PARTS.length)] ?? ''
      return part.repeat(random() < 0.1 ? Math.floor(random() * 60) : 1)
    }).join('')
    expect(written(visibleText(text))).toBe(text)
  }
})

/** An independent reader of the notation. */
function written(shown: string): string {
  return shown.replaceAll(/‹U\+([0-9A-F]{4,6})(?: × (\d+))?›/g, (_, code: string, count = '1') =>
    String.fromCodePoint(Number.parseInt(code, 16)).repeat(Number(count)),
  )
}

test('a text of 100,000 of each hiding character takes linear time', () => {
  for (const part of [' ', '\n', '\\', '\u200B', '\u0301', '\u200B\u200C', '‹', ' \n', '"']) {
    const since = performance.now()
    visibleText(part.repeat(100_000 / part.length))
    expect(performance.now() - since).toBeLessThan(5_000)
  }
})
