import { expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../../models/index.ts'
import { NOTE_DATA_CHARS_MAX, defineAgent, snakeCase, tool } from '../index.ts'
import type { ToolSchema } from '../index.ts'

const model = scriptedModel(() => '')
const any = tool({ inputSchema: z.object({}), execute: () => '' })

test.each([
  ['without a name', () => defineAgent({ name: '', model }), 'its name is not 1 to 64'],
  ['that has none', () => defineAgent({ model } as never), 'its name is not 1 to 64'],
  [
    'with a model of an older interface',
    () => defineAgent({ name: 'a', model: { ...model, specificationVersion: 'v2' } as never }),
    'its model has the interface version "v2", and "v3" and "v4" are read; update its provider package',
  ],
  ['with too long a name', () => defineAgent({ name: 'x'.repeat(65), model }), 'its name is not'],
  [
    'with a tool that no provider takes',
    () => defineAgent({ name: 'a', model, tools: { 'two words': any } }),
    'its tool "two words" is not 1 to 64 letters',
  ],
  [
    'with a tool whose schema cannot be told',
    () => {
      const inputSchema = { type: 'object' } as unknown as ToolSchema
      return defineAgent({ name: 'a', model, tools: { t: { inputSchema } } })
    },
    'the inputSchema of its tool "t" gives no JSON Schema',
  ],
  [
    'with a tool that has no schema',
    () => {
      const tools = { t: { execute: () => '' } as unknown as typeof any }
      return defineAgent({ name: 'a', model, tools })
    },
    'its tool "t" has no inputSchema; give it one, such as z.object({})',
  ],
  [
    'with the name of a model',
    () => defineAgent({ name: 'a', model: 'claude' as unknown as typeof model }),
    'give one of a provider package, such as `anthropic(…)` of @ai-sdk/anthropic, or `scriptedModel`',
  ],
  [
    'with a limit that is none',
    () => defineAgent({ name: 'a', model, limits: { maxSteps: 3 } as object }),
    'its `limits`: it has an unknown "maxSteps"',
  ],
  [
    'with instructions that are no text',
    () => defineAgent({ name: 'a', model, instructions: ['Be brief'] as unknown as string }),
    'its `instructions` must be a text, or a function that returns one, and are a list',
  ],
  [
    'with async instructions',
    () => defineAgent({ name: 'a', model, instructions: (async () => '') as unknown as string }),
    'its `instructions` is async; it must return its result itself',
  ],
  [
    'with async notes',
    () => defineAgent({ name: 'a', model, notes: (async () => []) as unknown as () => [] }),
    'its `notes` is async; it must return its result itself',
  ],
  [
    'with a tool whose approval is async',
    () => {
      const approval = (async () => ({ question: '?' })) as unknown as () => { question: string }
      return defineAgent({ name: 'a', model, tools: { t: { ...any, approval } } })
    },
    'its tool "t": its `approval` is async; it must return its result itself',
  ],
  [
    'with a tool that executes no function',
    () => {
      const tools = { t: { ...any, execute: 'x' } as unknown as typeof any }
      return defineAgent({ name: 'a', model, tools })
    },
    'its tool "t": its `execute` must be a function, and is a string',
  ],
])('an agent %s is refused where it is defined, and told why', (_name, define, why) => {
  expect(define).toThrow(why)
  expect(define).toThrow(expect.objectContaining({ code: 'invalid_agent' }) as Error)
})

test('a plain object is a tool, as `tool` gives one', () => {
  const inputSchema = z.object({ a: z.number() })
  const { tools } = defineAgent({
    name: 'a',
    model,
    tools: { plain: { description: 'Doubles.', inputSchema, execute: ({ a }) => a * 2 } },
  })
  expect(tools.get('plain')).toMatchObject({ description: 'Doubles.' })
})

test('the note on a person’s event cuts its data after 2,000 characters, and no character in half', () => {
  const { notes } = defineAgent({ name: 'a', model })
  const event = { type: 'talk', data: '🙂'.repeat(NOTE_DATA_CHARS_MAX) }
  const turn = { state: null, accepted: [event], refused: [], said: '', first: false, bare: false }
  const [note = ''] = notes(turn)
  const [head, tail] = ["[The person's event was recorded: talk ", '…]']
  expect(note).toHaveLength(head.length + NOTE_DATA_CHARS_MAX - 1 + tail.length)
  expect(note.endsWith(tail)).toBe(true)
  expect(note.isWellFormed()).toBe(true)
})

test('names of agents become parts of tools’ names', () => {
  expect(['Researcher', 'TaxExpert', 'tax expert', 'B', 'Web2Reader'].map(snakeCase)).toEqual([
    'researcher',
    'tax_expert',
    'tax_expert',
    'b',
    'web2_reader',
  ])
})
