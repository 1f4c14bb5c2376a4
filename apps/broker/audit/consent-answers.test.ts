import { expect, test } from 'vitest'
import { NO_CASE } from '../case/case-domain.ts'
import type { Json } from 'throughline'
import { consentAnswers } from './consent-answers.ts'
import { recordNamed } from '../../studio/story/record-named.fixture.ts'
import { storyOf } from './case-story.ts'

const answered = (seq: number, consentType: string, granted: boolean) => ({
  ...recordNamed('capture_consent', { consentType, granted, bound: true }),
  seq,
})

test('the audit lists every answer to a consent, and says which of them changed it', () => {
  const records = [
    answered(1, 'credit_search', false),
    answered(2, 'marketing', false),
    answered(3, 'credit_search', true),
    answered(4, 'credit_search', true),
    recordNamed('event_refused', { type: 'capture_consent' }),
  ]
  const answers = consentAnswers(storyOf(records))
  expect(answers.map(({ seq, type, granted, change }) => [seq, type, granted, change])).toEqual([
    [1, 'credit_search', false, 'first'],
    [2, 'marketing', false, 'first'],
    [3, 'credit_search', true, 'changed'],
    [4, 'credit_search', true, 'repeated'],
  ])
})

test('an answer that only a recovery seed holds has its time and no record', () => {
  const at = '2026-11-22T13:18:00.000Z'
  const state = {
    ...NO_CASE.case,
    sessionId: 'case-1',
    retailerName: 'Sunny Roofs',
    createdAt: at,
    updatedAt: at,
    consents: [{ type: 'credit_search', granted: false, capturedAt: at }],
  }
  const seed = recordNamed('case_hydrated', { ...NO_CASE, case: state } as unknown as Json)
  const answers = consentAnswers(storyOf([seed, answered(9, 'credit_search', true)]))
  expect(answers).toMatchObject([
    { granted: false, change: 'first', at: Date.parse(at) },
    { granted: true, change: 'changed', seq: 9 },
  ])
  expect(answers[0]).not.toHaveProperty('seq')
})
