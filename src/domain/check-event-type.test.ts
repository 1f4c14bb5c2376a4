import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineDomain } from './index.ts'

const by: unknown = [{ source: 'ui' }]
const schema: unknown = z.object({})
const reduce: unknown = (n: number) => n
const sources = '"ui", "model", "rule", "system", "process", "remote"'
const proposers = `its \`by\` must be a list of { source }, with one of ${sources}`

test.each([
  [{ by, reduce }, 'it has no `schema`; give it one of zod, or another Standard Schema'],
  [
    { schema: {}, by, reduce },
    'it has no `schema`; give it one of zod, or another Standard Schema',
  ],
  [{ schema, reduce }, proposers],
  [{ schema, by: ['ui'], reduce }, proposers],
  [{ schema, by: { source: 'ui' }, reduce }, proposers],
  [{ schema, by: [{ source: 'user' }], reduce }, proposers],
  [
    { schema, by: [{ source: 'ui', surfce: 'x' }], reduce },
    'one of its `by`: it has an unknown "surfce": did you mean "surface"?',
  ],
  [
    { schema, by, reduce, version: 2 },
    'its version 2 needs 1 upcasts, one from each older version; it has 0',
  ],
  [{ schema, by, reduce, upcasts: ['x'] }, 'its `upcasts` must be a list of functions'],
  [
    { schema, by, reduce: async () => 1 },
    'its `reduce` is async; it must return its result itself',
  ],
  [
    { schema, by, reduce, guard: async () => undefined },
    'its `guard` is async; it must return its result itself',
  ],
  [{ schema, by, reduce, guard: {} }, 'its `guard` must be a function, and is an object'],
  [
    { schema, by, reduce, complete: async () => ({}) },
    'its `complete` is async; it must return its result itself',
  ],
  [
    { schema, by: [{ source: 'ui', when: async () => true }], reduce },
    'its `when` is async; it must return its result itself',
  ],
  [
    { schema, by, reduce, version: 2, upcasts: [async () => ({})] },
    'its `upcasts` is async; it must return its result itself',
  ],
  [{ schema, by }, 'it has no function `reduce`; give it one that returns the next state'],
])(
  'an event type that lacks a part, or has one of the wrong kind, is refused where it is defined: %#',
  (entry, why) => {
    const { domain } = defineDomain<number>()
    // A program that runs without a type check can have such an event type.
    const events = { counted: entry } as unknown as Parameters<typeof domain>[0]['events']
    expect(() => domain({ name: 'counter', initial: 0, events })).toThrow(
      expect.objectContaining({
        name: 'DefinitionError',
        code: 'invalid_event',
        message: `Cannot define domain "counter": its event type "counted" cannot be used: ${why}`,
      }),
    )
  },
)
