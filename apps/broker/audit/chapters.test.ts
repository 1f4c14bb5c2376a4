import { expect, test } from 'vitest'
import type { Json } from 'throughline'
import { chaptersOf } from './chapters.ts'
import { recordNamed } from '../../studio/story/record-named.fixture.ts'
import { storyOf } from './case-story.ts'

const chapters = (...types: readonly (readonly [string, Json?])[]) =>
  chaptersOf(
    storyOf(
      types.map(([type, data = {}], seq) => ({
        ...recordNamed(type, data),
        seq,
        ts: seq * 1_000,
      })),
    ),
  )

test('a case is divided by what happened, and a chapter never comes back', () => {
  expect(
    chapters(
      ['case_created'],
      ['record_project_facts'],
      ['present_disclosure', { id: 'service_status' }],
      ['acknowledge_disclosure', { id: 'service_status' }],
      ['record_eligibility'],
      ['present_disclosure', { id: 'credit_search_consent' }],
      // Shown again on another device.
      ['present_disclosure', { id: 'service_status' }],
      ['submit_application'],
      ['waterfall_recorded'],
      ['select_offer'],
      ['case_outcome', { kind: 'selected' }],
    ),
  ).toEqual([
    { name: 'project', from: 0, to: 1, tookMs: 1_000 },
    { name: 'firm', from: 2, to: 3, tookMs: 1_000 },
    { name: 'answers', from: 4, to: 4, tookMs: 0 },
    { name: 'consent', from: 5, to: 6, tookMs: 1_000 },
    { name: 'lenders', from: 7, to: 8, tookMs: 1_000 },
    { name: 'offer', from: 9, to: 10, tookMs: 1_000 },
  ])
})

test('a case that skips a part has no chapter for it, and a thread that is no case has none', () => {
  const names = chapters(['case_created'], ['submit_application']).map(({ name }) => name)
  expect(names).toEqual(['project', 'lenders'])
  expect(chapters(['TEXT_MESSAGE_START'])).toEqual([])
})
