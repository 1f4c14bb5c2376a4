import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Json } from '../json/index.ts'
import { joinedSchema, schemaChanges } from './schema-changes.ts'
import { storedSchema } from './stored-schema.ts'

const shape = (schema: z.ZodType): Json => {
  const json = storedSchema(schema)
  if (json === undefined) throw new TypeError('It has no JSON Schema')
  return json
}
const changes = (before: z.ZodType, after: z.ZodType) => schemaChanges(shape(before), shape(after))

interface Tree {
  readonly name: string
  readonly inner?: readonly Tree[] | undefined
}
const tree: z.ZodType<Tree> = z.object({
  name: z.string(),
  get inner() {
    return z.array(tree).optional()
  },
})
interface NumberTree {
  readonly name: number
  readonly inner?: readonly NumberTree[] | undefined
}
const numberTree: z.ZodType<NumberTree> = z.object({
  name: z.number(),
  get inner() {
    return z.array(numberTree).optional()
  },
})

const word = z.object({ word: z.string() })
const FITS: Readonly<Record<string, readonly [z.ZodType, z.ZodType]>> = {
  'the same schema': [word, word],
  'a new optional member': [word, word.extend({ more: z.number().optional() })],
  'an optional member that is gone': [word.extend({ more: z.number().optional() }), word],
  'a required member that is optional now': [word, word.partial()],
  'one more choice': [
    z.object({ a: z.enum(['x', 'y']) }),
    z.object({ a: z.enum(['y', 'z', 'x']) }),
  ],
  'any text in place of choices': [
    z.object({ a: z.enum(['x', 'y']) }),
    z.object({ a: z.string() }),
  ],
  'a number in place of a whole number': [z.object({ a: z.int() }), z.object({ a: z.number() })],
  'a value that may be null': [word, z.object({ word: z.string().nullable() })],
  'wider bounds': [
    z.object({ a: z.string().max(5), b: z.number().min(1) }),
    z.object({ a: z.string().max(9), b: z.number() }),
  ],
  'another pattern, format or description': [
    z.object({ a: z.string().regex(/a/) }),
    z.object({ a: z.email().describe('where to write') }),
  ],
  'one more branch': [
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a'), n: z.number() })]),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('b') }),
      z.object({ kind: z.literal('a'), n: z.number() }),
    ]),
  ],
  'a schema that contains itself': [tree, tree],
  anything: [word, z.object({ word: z.unknown() })],
  'other members': [word, z.looseObject({ word: z.string() })],
}

for (const [name, [before, after]] of Object.entries(FITS)) {
  test(`data of the older schema fits: ${name}`, () => {
    expect(changes(before, after)).toEqual([])
  })
}

const DIFFERS: Readonly<Record<string, readonly [z.ZodType, z.ZodType, readonly string[]]>> = {
  'another type': [
    z.object({ a: z.number() }),
    z.object({ a: z.string() }),
    ['"a" was number and is string'],
  ],
  'a new required member': [
    word,
    word.extend({ more: z.number() }),
    ['"more" is new and required'],
  ],
  'a new member that the schema fills in': [
    word,
    word.extend({ more: z.number().default(0) }),
    ['"more" is new and required'],
  ],
  'a member with another name': [
    word,
    z.object({ text: z.string().optional() }),
    ['"word" was required and is gone'],
  ],
  'an optional member that is required': [
    word.partial(),
    word,
    ['"word" was optional and is required'],
  ],
  'a choice that is gone': [
    z.object({ a: z.enum(['x', 'y']) }),
    z.object({ a: z.enum(['x']) }),
    ['"a" was "y" and is "x"'],
  ],
  'choices in place of any text': [
    z.object({ a: z.string() }),
    z.object({ a: z.enum(['x', 'y']) }),
    ['"a" was string and is "x" or "y"'],
  ],
  'a whole number': [
    z.object({ a: z.number() }),
    z.object({ a: z.int() }),
    ['"a" was number and is integer'],
  ],
  'a null that is gone': [
    z.object({ a: z.string().nullable() }),
    z.object({ a: z.string() }),
    ['"a" was null and is string'],
  ],
  'deep in lists': [
    z.object({ a: z.array(z.object({ b: z.number() })) }),
    z.object({ a: z.array(z.object({ b: z.boolean() })) }),
    ['"a[].b" was number and is boolean'],
  ],
  'tighter bounds': [
    z.object({ a: z.number().max(100), b: z.string() }),
    z.object({ a: z.number().max(1), b: z.string().min(2) }),
    ['"a" had 100 as its `maximum` and has 1', '"b" had none as its `minLength` and has 2'],
  ],
  'a branch that is gone': [
    z.union([z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
    z.object({ kind: z.literal('a') }),
    ['"kind" was "b" and is "a"'],
  ],
  'other members that cannot be any more': [
    z.looseObject({ word: z.string() }),
    word,
    ['the data could have any member and cannot any more'],
  ],
  'a schema that contains itself': [
    tree,
    numberTree,
    ['"name" was string and is number', '"inner[].name" was string and is number'],
  ],
  'a tuple': [
    z.object({ a: z.tuple([z.number(), z.string()]) }),
    z.object({ a: z.tuple([z.number(), z.number()]) }),
    ['"a[1]" was string and is number'],
  ],
  'a record': [
    z.object({ a: z.record(z.string(), z.number()) }),
    z.object({ a: z.record(z.string(), z.string()) }),
    ['"a.*" was number and is string'],
  ],
}

for (const [name, [before, after, expected]] of Object.entries(DIFFERS)) {
  test(`a change is named: ${name}`, () => {
    expect(changes(before, after)).toEqual(expected)
  })
}

test('a member that is gone stays known: another type under its name is a change', () => {
  const more = shape(word.extend({ more: z.number().optional() }))
  const joined = joinedSchema(more, shape(word))
  expect(joined).toEqual(more)
  expect(schemaChanges(joined, shape(word.extend({ more: z.string().optional() })))).toEqual([
    '"more" was number and is string',
  ])
})

test('members with the names of annotations and of prototypes are compared', () => {
  const named = (type: z.ZodType) => z.object({ title: type, format: type, constructor: type })
  expect(changes(named(z.string()), named(z.number()))).toHaveLength(3)
})

test('a schema without a JSON Schema has no shape', () => {
  const none = [
    z.object({ at: z.date() }),
    z.string().transform(Number),
    z.custom<string>(),
    {
      '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) },
    } as const,
  ]
  for (const schema of none) expect(storedSchema(schema)).toBeUndefined()
})

test('schemas of many branches within branches are compared at once', () => {
  let [before, after]: z.ZodType[] = [z.string(), z.number()]
  for (let depth = 0; depth < 5; depth++) {
    const branches = (inner: z.ZodType) =>
      z.union(
        ['a', 'b', 'c', 'd', 'e', 'f'].map((kind) => z.object({ kind: z.literal(kind), inner })),
      )
    before = branches(before as z.ZodType)
    after = branches(after as z.ZodType)
  }
  expect(changes(before as z.ZodType, after as z.ZodType).length).toBeGreaterThan(0)
})
