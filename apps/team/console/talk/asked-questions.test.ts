import { expect, test } from 'vitest'
import { answersOf, questionsOf } from './asked-questions.ts'

const input = JSON.stringify({
  questions: [
    {
      question: 'Which database?',
      options: [{ label: 'SQLite', description: 'one file' }, { label: 'Postgres' }],
    },
    { question: 'Which days?', multiSelect: true, options: [{ label: 'Monday' }] },
  ],
})

test('the questions of a call are read, and no other call asks any', () => {
  expect(questionsOf({ toolName: 'AskUserQuestion', input })).toEqual([
    {
      question: 'Which database?',
      options: [
        { label: 'SQLite', hint: 'one file' },
        { label: 'Postgres', hint: '' },
      ],
      mayBeSeveral: false,
    },
    { question: 'Which days?', options: [{ label: 'Monday', hint: '' }], mayBeSeveral: true },
  ])
  expect(questionsOf({ toolName: 'Bash', input })).toEqual([])
  for (const cut of ['{"questions":[{', '[]', '{"questions":1}', '{"questions":[1]}']) {
    expect(questionsOf({ toolName: 'AskUserQuestion', input: cut })).toEqual([])
  }
})

test('answers are given once each question has one, with the person’s own words', () => {
  const questions = questionsOf({ toolName: 'AskUserQuestion', input })
  const first = { chosen: ['SQLite'], words: '' }
  expect(answersOf(questions, [first])).toBeUndefined()
  expect(answersOf(questions, [first, { chosen: [], words: '  ' }])).toBeUndefined()
  expect(answersOf(questions, [first, { chosen: ['Monday'], words: ' and Sunday ' }])).toEqual({
    'Which database?': 'SQLite',
    'Which days?': 'Monday, and Sunday',
  })
})
