import { expect, test } from 'vitest'
import { budgetOf } from './budget.ts'
import { factsOf } from './permission-facts.ts'
import { EMPTY_JOB, jobBody, withSuggestions } from './job-draft.ts'

test('[D055] suggestions fill in the fields that are empty, and no other', () => {
  const draft = { ...EMPTY_JOB, name: 'Cook', skills: ' ' }
  const suggestions = {
    name: 'Baker',
    description: 'Soup for ten',
    skills: ['stirring', 'tasting'],
    files: ['a.md', 'b.md'],
    aboutYou: 3,
    assignedAgent: 'Lyra',
  }
  expect(withSuggestions(draft, suggestions)).toEqual({
    ...EMPTY_JOB,
    name: 'Cook',
    description: 'Soup for ten',
    skills: 'stirring, tasting',
    files: 'a.md\nb.md',
  })
})

test('a job is saved with the files that were named', () => {
  expect(jobBody({ ...EMPTY_JOB, name: 'Cook', files: ' a.md \n\nb.md' })).toEqual({
    name: 'Cook',
    description: '',
    contextDocs: '',
    skills: '',
    aboutYou: '',
    files: ['a.md', 'b.md'],
  })
})

test.each([
  ['', 'none'],
  ['  ', 'none'],
  ['25', 25],
  ['12.50', 12.5],
  ['0', 'invalid'],
  ['-3', 'invalid'],
  ['1e9', 'invalid'],
  ['ten', 'invalid'],
  ['1.234', 'invalid'],
] as const)('the budget "%s" is %s', (text, budget) => {
  expect(budgetOf(text)).toBe(budget)
})

test.each([
  ['{"command":"rm a","timeout":5}', ['command: rm a', 'timeout: 5']],
  ['{"command":"rm …', ['What it would do: {"command":"rm …']],
  ['{}', ['What it would do: {}']],
])('what a call would do is shown by name: %s', (input, shown) => {
  expect(factsOf(input).map(({ name, value }) => `${name}: ${value}`)).toEqual(shown)
})
