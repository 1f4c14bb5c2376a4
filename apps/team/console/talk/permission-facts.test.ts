import { expect, test } from 'vitest'
import { commandOf, factsOf } from './permission-facts.ts'

test.each([
  ['{"command":"rm a","timeout":5}', ['command: rm a', 'timeout: 5']],
  ['{"command":"rm …', ['What it would do: {"command":"rm …']],
  ['{}', ['What it would do: {}']],
])('what a call would do is shown by name: %s', (input, shown) => {
  expect(factsOf(input).map(({ name, value }) => `${name}: ${value}`)).toEqual(shown)
})

test('a call that runs a line is asked about by that line alone', () => {
  const input = JSON.stringify({ command: 'ls -l', description: 'List' })
  expect(commandOf({ toolName: 'Bash', input })).toBe('ls -l')
  expect(commandOf({ toolName: 'Write', input })).toBeUndefined()
  expect(commandOf({ toolName: 'Bash', input: input.slice(0, -2) })).toBeUndefined()
})
