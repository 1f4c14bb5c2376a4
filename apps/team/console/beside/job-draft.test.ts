import { expect, test } from 'vitest'
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
