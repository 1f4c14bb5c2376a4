import { expect, test } from 'vitest'
import { z } from 'zod'
import { objectSchema, offeredSchema } from './offered-schema.ts'
import type { JsonObject } from '../../json/index.ts'
import type { ToolSchema } from '../define/sdk-schema.ts'

const OF = { agent: 'clerk', what: 'its tool "pay"' }
const offered = (schema: z.ZodType) => offeredSchema(schema as unknown as ToolSchema, OF)

const card = z.object({ kind: z.literal('card'), number: z.string() })
const bank = z.object({ kind: z.literal('bank'), iban: z.string(), name: z.string().optional() })

test.each<[string, z.ZodType]>([
  ['a union', z.union([card, bank])],
  ['a union by a member', z.discriminatedUnion('kind', [card, bank])],
  ['a union with null', z.union([card, bank]).nullable()],
])('%s at the root is one object with the members of all', (_what, schema) => {
  expect(offered(schema)).toMatchObject({
    type: 'object',
    properties: {
      kind: { anyOf: [{ const: 'card' }, { const: 'bank' }] },
      number: { type: 'string' },
      iban: { type: 'string' },
    },
    required: ['kind'],
  })
  for (const word of ['anyOf', 'oneOf', 'allOf']) expect(offered(schema)).not.toHaveProperty(word)
})

test('what holds at once needs the members of both', () => {
  const both = z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() }))
  expect(offered(both)).toMatchObject({ type: 'object', required: ['a', 'b'] })
})

test.each<[string, z.ZodType]>([
  ['anything', z.any()],
  ['something unknown', z.unknown()],
])('%s is an object for a model', (_what, schema) => {
  expect(offered(schema)).toMatchObject({ type: 'object', properties: {} })
})

test.each<[string, JsonObject]>([
  ['nothing', {}],
  ['a type alone', { type: 'object' }],
  ['any members', { type: 'object', additionalProperties: true }],
  ['members that are null', { type: 'object', properties: null }],
  ['a free form among others', { anyOf: [{ type: 'object' }, { type: 'null' }] }],
])('a schema of %s names its members, as providers want it', (_what, schema) => {
  expect(objectSchema(schema)).toMatchObject({ type: 'object', properties: {} })
})

test.each<[string, z.ZodType]>([
  ['a text', z.string()],
  ['a list', z.array(z.string())],
  ['a number or a text', z.union([z.string(), z.number()])],
])('%s at the root is refused with the agent, the tool and the mend', (_what, schema) => {
  expect(() => offered(schema)).toThrow(
    'Cannot use agent "clerk": its tool "pay" takes no object; models give objects: wrap it',
  )
})

test('a date is refused with the agent, the tool and the mend', () => {
  expect(() => offered(z.object({ on: z.date() }))).toThrow(
    /^Cannot use agent "clerk": its tool "pay" has a schema that cannot be told.*; give a date as z\.iso\.datetime\(\)/,
  )
})
