import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Wait } from '../../activity/index.ts'
import type { JsonObject } from '../../json/index.ts'
import { elicitedAnswers, formFor, jsonFieldsOf, mcpAnswer } from './mcp-questions.ts'

const wait: Wait = {
  id: 'w',
  reason: 'input_required',
  requestKeys: {
    to: 'Who gets it?',
    pieces: 'How many?',
    size: 'Which?',
    tags: 'Any tags?',
    x: '?',
  },
  schema: z.toJSONSchema(
    z.object({
      to: z.email(),
      pieces: z.int().min(1),
      size: z.enum(['small', 'large']),
      tags: z.array(z.string()),
    }),
  ) as JsonObject,
  toolCallId: 'c',
  toolName: 'order',
  arguments: '{}',
  digest: '',
  agent: 'clerk',
  depth: 0,
  run: 'r',
}

test('a form has the single values of a question as fields, and asks for the others as JSON', () => {
  const { message, requestedSchema } = formFor(wait)
  expect(message).toBe('Who gets it?\nHow many?\nWhich?\nAny tags?\n?')
  const { pattern, ...to } = requestedSchema.properties['to'] as { readonly pattern?: string }
  expect([to, pattern]).toEqual([
    { type: 'string', format: 'email', description: 'Who gets it?' },
    undefined,
  ])
  expect(requestedSchema.properties).toMatchObject({
    pieces: { type: 'integer', minimum: 1, description: 'How many?' },
    size: { type: 'string', enum: ['small', 'large'] },
    tags: { type: 'string', description: 'Any tags? (as JSON)' },
    x: { type: 'string', description: '?' },
  })
  expect(requestedSchema.required).toEqual(['to', 'pieces', 'size', 'tags', 'x'])
})

test('answers in forms: values, a person who declines, a form that was closed, and what is no answer', () => {
  const content = { to: '["ann"]', tags: '["a"]' }
  const read = (response: unknown) => elicitedAnswers({ w: response }, jsonFieldsOf(wait))
  expect(read({ action: 'accept', content })).toEqual([
    { interruptId: 'w', status: 'resolved', payload: { to: '["ann"]', tags: ['a'] } },
  ])
  expect(read({ action: 'accept', content: { tags: 'no JSON' } })).toMatchObject([
    { payload: { tags: 'no JSON' } },
  ])
  expect(read({ action: 'decline' })).toEqual([{ interruptId: 'w', status: 'cancelled' }])
  for (const none of [{ action: 'cancel' }, { role: 'user' }, null, 'yes', []])
    expect(read(none)).toEqual([])
})

test('an answer gives one thing alone', () => {
  const of = (given: object) => mcpAnswer.safeParse({ id: 'w', ...given }).success
  expect([{ approved: true, reason: 'fine' }, { values: {} }, { declined: true }].every(of)).toBe(
    true,
  )
  expect([{}, { approved: true, values: {} }, { declined: false }, { other: 1 }].some(of)).toBe(
    false,
  )
})
