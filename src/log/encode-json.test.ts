import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draftAll } from './append.ts'
import { encodeJson } from './encode-json.ts'
import { seal, GENESIS, recordJson, unseal } from './seal.ts'
import { referenceSha256 } from './reference-sha256.ts'
import type { Json } from '../json/index.ts'

const anyJson = fc
  .jsonValue({ stringUnit: 'binary', maxDepth: 6 })
  .filter((value) => !JSON.stringify(value).includes('__proto__'))
  // The values of fast-check's `jsonValue` are JSON.
  .map((value) => value as Json)

test('the text is what JSON.stringify gives, and the value what JSON.parse makes of it', () => {
  fc.assert(
    fc.property(anyJson, (data) => {
      const { value, text } = encodeJson(data, 'data')
      expect(text).toBe(JSON.stringify(data))
      expect(value).toStrictEqual(JSON.parse(text))
    }),
  )
})

test('the value is frozen in all its parts', () => {
  fc.assert(
    fc.property(anyJson, (data) => {
      expect(unfrozen(encodeJson(data, 'data').value)).toEqual([])
    }),
  )
})

test('a record read back from its stored text has the same JSON text as the record appended', () => {
  const place = { seq: 3, prev: GENESIS }
  const sources = { now: () => 7, id: () => '00000000-0000-7000-8000-000000000001' }
  fc.assert(
    fc.property(anyJson, (data) => {
      const [draft] = draftAll('t', [{ type: 'any', data }], sources)
      if (!draft) throw new Error('drafted nothing')
      const { record, body } = seal(draft, place, sha256)
      const text = `${body.slice(0, -1)},"hash":"${record.hash}"}`
      expect(recordJson(record)).toBe(text)
      expect(recordJson(unseal(body, record.hash))).toBe(text)
    }),
    { numRuns: 50 },
  )
})

test('a refusal names the place', () => {
  const data = { list: [{ ok: 1 }, { when: new Date(0) }] }
  expect(() => encodeJson(data, 'data')).toThrow('data.list[1].when is not a plain object')
  expect(() => encodeJson(NaN, 'data')).toThrow('data is NaN')
})

test('[X3] a value that shares its parts cannot grow without a bound', () => {
  let data: Json = 1
  for (let level = 0; level < 60; level++) data = [data, data]
  expect(() => encodeJson(data, 'data')).toThrow('passes 1048576 characters')
})

test('negative zero, which has no JSON text, becomes zero', () => {
  const { value, text } = encodeJson([-0], 'data')
  expect([value, text]).toStrictEqual([[0], '[0]'])
})

test('a plain object of another realm is plain', () => {
  const foreign: unknown = Object.create(Object.create(null) as object)
  expect(encodeJson([foreign, Object.create(null)], 'data').text).toBe('[{},{}]')
})

test('the reference hash is SHA-256', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
      expect(await referenceSha256(text)).toBe(sha256(text))
    }),
  )
})

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function unfrozen(value: Json | undefined): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap((part) => unfrozen(part))
  return Object.isFrozen(value) ? inside : [value, ...inside]
}
