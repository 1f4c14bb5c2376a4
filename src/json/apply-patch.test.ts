import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import fastJsonPatch from 'fast-json-patch'
import { applyPatch as applyByRfc6902 } from 'rfc6902'
import { expect, test } from 'vitest'
import { PatchError, applyPatch } from './index.ts'
import type { Json } from './index.ts'

const RUNS = 3_000

const key = fc.constantFrom('a', 'b', 'a~b', 'c/d', '0', '1', '-')
const pointer = fc
  .array(key, { maxLength: 3 })
  .map((keys) =>
    keys.map((each) => `/${each.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  )
const value = fc.oneof(
  fc.constantFrom<Json>(null, 1, 'x', [], {}),
  fc.constant<Json>({ a: [1, { b: 2 }] }),
)
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value }),
  fc.record({ op: fc.constant('remove'), path: pointer }),
  fc.record({ op: fc.constantFrom('move', 'copy'), path: pointer, from: pointer }),
)
const tree: fc.Arbitrary<Json> = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    value,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(key, tie('node'), { maxKeys: 3 }),
  ),
})).node

/** Applies a patch with two known libraries, on copies because they mutate their input. */
function byLibraries(document: Json, patch: readonly object[]): readonly (Json | undefined)[] {
  const root = { document: cloned(document) }
  const moved = patch.map((each) => below('/document', each))
  return [
    orRefused(() => {
      const answers = applyByRfc6902(root, cloned(moved) as never)
      return answers.every((answer) => answer === null) ? (root.document ?? null) : undefined
    }),
    orRefused(
      () =>
        fastJsonPatch.applyPatch(cloned(document), cloned(patch) as never, true).newDocument ??
        null,
    ),
  ]
}

/** Without values that two places share, as a document that was read has none. */
function cloned<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

function orRefused(apply: () => Json | undefined): Json | undefined {
  try {
    return apply()
  } catch {
    return undefined
  }
}

/** An operation on a document, as one on what holds that document. */
function below(prefix: string, operation: object): object {
  const pointers = ['path', 'from'].filter((name) => name in operation)
  const longer = pointers.map((name) => [name, `${prefix}${String(Reflect.get(operation, name))}`])
  return { ...operation, ...Object.fromEntries(longer) }
}

function byUs(document: Json, patch: readonly object[]): Json | undefined {
  try {
    return applyPatch(document, patch as Json)
  } catch (error) {
    if (error instanceof PatchError) return undefined
    throw error
  }
}

interface Operation {
  readonly op: string
  readonly path: string
  readonly value?: Json
}

/** Both move and copy to an item beyond the end of a list, and take the one character of "x" for its item 0. */
function isLax({ op, path, value }: Operation): boolean {
  return op === 'move' || op === 'copy' || (op === 'test' && value === 'x' && path.endsWith('/0'))
}

test('[E029] [E030] [E041] any patch of the six operations leads where two known libraries agree that it leads', () => {
  let agreed = 0
  fc.assert(
    fc.property(tree, fc.array(operation, { maxLength: 4 }), (document, patch) => {
      const before = JSON.stringify(document)
      const made = byUs(document, patch)
      expect(JSON.stringify(document)).toBe(before)
      const [one, other] = byLibraries(document, patch)
      // Each has faults of its own: with names as indexes of lists, with values put into themselves.
      if (!isDeepStrictEqual(one, other)) return
      if (made === undefined && patch.some(isLax)) return
      agreed++
      expect(made).toEqual(one)
    }),
    { numRuns: RUNS },
  )
  expect(agreed).toBeGreaterThan(RUNS / 2)
})

test('[E029] a character of a text is no item that a patch can name', () => {
  expect(byUs('x', [{ op: 'test', path: '/0', value: 'x' }])).toBeUndefined()
  expect(byUs({ a: 'x' }, [{ op: 'test', path: '/a/0', value: 'x' }])).toBeUndefined()
})

test('[E029] the operations of the RFC’s examples', () => {
  const cases: readonly (readonly [Json, Json, Json])[] = [
    [{ foo: 'bar' }, { op: 'add', path: '/baz', value: 'qux' }, { baz: 'qux', foo: 'bar' }],
    [{ foo: ['a'] }, { op: 'add', path: '/foo/-', value: ['b'] }, { foo: ['a', ['b']] }],
    [{ foo: ['a', 'b', 'c'] }, { op: 'remove', path: '/foo/1' }, { foo: ['a', 'c'] }],
    [
      { baz: 'qux', foo: 1 },
      { op: 'replace', path: '/baz', value: 2 },
      { baz: 2, foo: 1 },
    ],
    [{ foo: ['a', 'b'] }, { op: 'move', from: '/foo/1', path: '/foo/0' }, { foo: ['b', 'a'] }],
    [
      { foo: { a: 1 } },
      { op: 'copy', from: '/foo', path: '/bar' },
      { foo: { a: 1 }, bar: { a: 1 } },
    ],
    [
      { '/': 9, '~1': 10 },
      { op: 'test', path: '/~01', value: 10 },
      { '/': 9, '~1': 10 },
    ],
  ]
  for (const [document, change, after] of cases)
    expect(applyPatch(document, [change])).toEqual(after)
})

test('what a patch does not change is shared with the document before it', () => {
  const before = { kept: { deep: [1] }, changed: { a: 1 } }
  const after = applyPatch(before, [{ op: 'replace', path: '/changed/a', value: 2 }])
  expect((after as typeof before).kept).toBe(before.kept)
  expect(before.changed).toEqual({ a: 1 })
})

test('a patch that does not fit names the operation and why', () => {
  const faults: readonly (readonly [Json, RegExp])[] = [
    [{}, /no list/],
    [[7], /no object/],
    [[{ op: 'remove', path: '/x' }], /nothing is there/],
    [[{ op: 'add', path: 'x', value: 1 }], /slash/],
    [[{ op: 'add', path: '/x' }], /no value/],
    [[{ op: 'test', path: '', value: 1 }], /another/],
    [[{ op: 'swap', path: '' }], /no such operation/],
    [[{ op: 'move', from: '', path: '/a' }], /into itself/],
    [
      [
        { op: 'add', path: '/l', value: [] },
        { op: 'copy', from: '/l', path: '/l/1' },
      ],
      /nothing is/,
    ],
  ]
  for (const [patch, why] of faults) expect(() => applyPatch({}, patch)).toThrow(why)
})

test('a member called __proto__ is a member', () => {
  const after = applyPatch({}, [{ op: 'add', path: '/__proto__', value: { a: 1 } }])
  expect(Object.keys(after as object)).toEqual(['__proto__'])
  expect('a' in {}).toBe(false)
})
