import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBody, writeBody } from './body.ts'
import type { Block } from './body.ts'

test('wrapped source becomes one line a paragraph and one line an item', () => {
  const body = writeBody(`
    First line
    goes on.

    - one
      and more
    - two
  `)
  expect(body).toBe('First line goes on.\n\n- one and more\n- two')
  expect(readBody(body)).toEqual([
    { kind: 'paragraph', text: 'First line goes on.' },
    { kind: 'list', items: ['one and more', 'two'] },
  ])
})

test('a text that merely holds dashes is a paragraph', () => {
  expect(readBody('a - b\n- c')).toEqual([{ kind: 'paragraph', text: 'a - b\n- c' }])
})

test('reading loses no character of any text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '-', ' ', '\n') })
  fc.assert(
    fc.property(text, (body) => {
      expect(readBody(body).map(written).join('\n\n')).toBe(body)
    }),
  )
})

function written(block: Block): string {
  return block.kind === 'paragraph' ? block.text : block.items.map((item) => `- ${item}`).join('\n')
}
