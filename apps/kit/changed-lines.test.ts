import { expect, test } from 'vitest'
import { changedLines } from './changed-lines.ts'

const signs = { added: '+', removed: '-', same: ' ' }
const shown = (name: string, input: Parameters<typeof changedLines>[1]) =>
  changedLines(name, input)?.map(({ change, text }) => `${signs[change]}${text}`)

test('an edit shows the lines that it removes and adds, and those between that stay', () => {
  const input = { file_path: 'a', old_string: 'one\ntwo\nthree', new_string: 'one\n2\nthree\nfour' }
  expect(shown('Edit', input)).toEqual([' one', '-two', '+2', ' three', '+four'])
})

test('a written file is all new, and several edits stand one after the other', () => {
  expect(shown('Write', { content: 'one\ntwo\n' })).toEqual(['+one', '+two'])
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: '', new_string: 'c' },
  ]
  expect(shown('MultiEdit', { edits })).toEqual(['-a', '+b', '+c'])
})

test('another tool changes no lines, and a call without its members changes none', () => {
  expect(shown('Bash', { command: 'ls' })).toBeUndefined()
  expect(shown('Edit', null)).toEqual([])
  expect(shown('MultiEdit', {})).toEqual([])
})

test('very long texts are shown one after the other, and not compared', () => {
  const long = 'same\n'.repeat(1_500)
  expect(changedLines('Edit', { old_string: long, new_string: long })).toHaveLength(3_000)
})
