import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstWords, wordsBetween } from './whole-words.ts'

const texts = fc.string({ unit: fc.constantFrom('a', '£', '1', ',', ' ', '\n') })

test('however a text is cut into parts, its words come whole and each once', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(40)), (text, cuts) => {
      const places = [0, ...cuts.filter((at) => at < text.length), text.length]
      const parts = places
        .toSorted((a, b) => a - b)
        .map((from, index, all) => wordsBetween(text, from, all[index + 1] ?? from))
      expect(parts.join('')).toBe(text)
      const words = (each: string) => each.split(/\s+/).filter(Boolean)
      expect(parts.flatMap(words)).toEqual(words(text))
    }),
  )
})

test.each([
  ['panels with battery', 14, 'panels with'],
  ['panels with battery', 11, 'panels with'],
  ['panels', 6, 'panels'],
  ['unbroken', 3, 'unb'],
])('the first words of "%s" in %i characters are "%s"', (text, max, expected) => {
  expect(firstWords(text, max)).toBe(expected)
})
