import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 as browserSha256 } from './sha256.browser.ts'
import { sha256 } from './sha256.ts'

test('a browser hashes every text as Node does, half characters included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(browserSha256(text)).toBe(sha256(text))
      expect(browserSha256(text.slice(1))).toBe(sha256(text.slice(1)))
    }),
  )
})
