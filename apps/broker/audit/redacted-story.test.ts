import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RecordRedaction } from '../../../src/domain/index.ts'
import { REDACTED } from 'throughline/client'
import { membersOf } from 'throughline'
import { redactAt } from 'throughline/server/extend'
import type { Json, LogRecord } from 'throughline'
import type { Told } from '../../studio/story/index.ts'
import { recordNamed } from '../../studio/story/record-named.fixture.ts'
import { domain, given } from '../case/given-case.fixture.ts'
import { RECORDED, upTo } from '../case/journey.fixture.ts'
import { PERSONAL_MEMBERS } from '../case/personal-data.ts'
import { storyOf } from './case-story.ts'

const redaction = new RecordRedaction(domain, ['installer', 'customer'])
const redacted = (records: readonly LogRecord[]) =>
  storyOf(records.map((record) => redaction.record(record)))

const GOLDEN = 'test/order/golden'
const logs = readdirSync(GOLDEN).filter((file) => /^[\d.]+-(?!desk).*\.jsonl$/.test(file))
const recordsIn = (file: string): readonly LogRecord[] =>
  readFileSync(`${GOLDEN}/${file}`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** The texts in members that are marked as personal data. */
function personalTexts(records: readonly LogRecord[]): readonly string[] {
  const marks: Readonly<Record<string, readonly string[]>> = PERSONAL_MEMBERS
  return records.flatMap(({ type, data }) =>
    (marks[type] ?? []).flatMap((member) => {
      const value = membersOf(data)[member]
      return typeof value === 'string' ? [value] : []
    }),
  )
}

/** Joins the values as text. It drops member names, because `isEmployed` contains a value. */
function valuesIn(story: readonly Told[]): string {
  return JSON.stringify(story, (_, value: unknown) =>
    value instanceof Object ? Object.values(value) : value,
  )
}

test.each(logs)('[surfaces 33] no personal text of %s is in its redacted story', (file) => {
  const records = recordsIn(file)
  const texts = personalTexts(records)
  const story = valuesIn(redacted(records))
  expect(texts.length).toBeGreaterThan(0)
  expect(texts.filter((text) => story.includes(text))).toEqual([])
})

test.each(logs)('what happened in %s, when and by whom is told all the same', (file) => {
  const records = recordsIn(file)
  const [whole, shown] = [storyOf(records), redacted(records)]
  const outline = (story: readonly Told[]) =>
    story.map(({ record: { seq, ts }, weight, kind, by, recovered = [] }) => ({
      seq,
      ts,
      weight,
      kind,
      by,
      recovered: recovered.map((each) => [each.ts, each.kind]),
    }))
  expect(outline(shown)).toEqual(outline(whole))
})

test.each([
  [
    'record_eligibility',
    { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: false },
    'The customer answered the four eligibility questions',
  ],
  [
    'record_vulnerability_indicators',
    { indicators: ['recent_life_event'], note: 'A loss' },
    'The customer was asked about support',
  ],
  ['record_personal_facts', { town: 'Swindon' }, 'Personal details recorded: town'],
  [
    'event_refused',
    { type: 'record_personal_facts', reason: 'precondition', detail: 'The customer is 17' },
    'Not accepted: personal details. It was not possible at this point',
  ],
  [
    'event_refused',
    { type: 'become_sarah', reason: 'unknown_type', detail: 'There is nothing' },
    'Not accepted: an act that does not exist. There is no act of this name',
  ],
  ['throughline.note', '[Sarah pressed]', 'The model was told: Hidden'],
  ['withdraw', { reason: 'ill' }, 'The customer withdrew the application'],
  ['RUN_ERROR', { message: 'Sarah is ill', code: 'internal' }, 'The turn failed: Hidden'],
  ['effect_requested', { effect: 'waterfall', fromIndex: 1 }, 'Lenders were asked'],
  [
    'throughline.webhook_failed',
    { event: 'case_outcome', attempt: 1, reason: 'Sarah' },
    'The receiver could not be told of an event',
  ],
])('[surfaces 33] while redacted, %s of %j reads "%s"', (name, data, sentence) => {
  const [told] = redacted([recordNamed(name, data)])
  expect(told?.sentences).toEqual([sentence])
  expect(JSON.stringify(told)).not.toMatch(/Swindon|recent_life|A loss|is 17|[Ss]arah|"ill"|true/)
})

test('[surfaces 33] a message is hidden in its parts and whole; who wrote it is not', () => {
  const parts = ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END'] as const
  const story = redacted(
    parts.map((type) => ({
      ...recordNamed(type, { messageId: 'm', delta: 'I am Sarah' }),
      origin: { source: 'ui', surface: 'customer', depth: 0 },
    })),
  )
  expect(story.map(({ sentences }) => sentences.join())).toEqual([
    'A message of the assistant began',
    'Hidden: a part of a text',
    'Hidden: a message',
  ])
  expect(story.at(-1)).toMatchObject({ whole: 'Hidden', by: { surface: 'customer' } })
})

test('[surfaces 33] the state of a case hides what its personal events brought, and keeps the rest', () => {
  const { case: state } = given(...upTo('submit'), RECORDED.approved)
  const shown = redactAt({ case: state } as unknown as Json, domain.personal ?? [])
  expect(shown).toMatchObject({
    case: {
      contact: REDACTED,
      personal: REDACTED,
      financial: { annualIncome: REDACTED, vulnerabilityIndicators: REDACTED },
      eligibility: { isOver18: REDACTED, capturedAt: expect.any(String) },
      emailPreference: { wantsEmailCopy: false },
      project: state.project,
      consents: state.consents,
    },
  })
})
