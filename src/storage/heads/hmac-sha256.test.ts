import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hmacSha256 } from './hmac-sha256.ts'

test('it is HMAC-SHA-256, whatever the key and the texts', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 })
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 3 }), (key, texts) => {
      const mac = hmacSha256(key)
      const ours = texts.map((each) => mac(Buffer.from(each)))
      const theirs = texts.map((each) => createHmac('sha256', key).update(each).digest('hex'))
      expect(ours).toEqual(theirs)
    }),
    { numRuns: 30 },
  )
})
