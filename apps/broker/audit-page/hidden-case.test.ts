import { readFileSync, readdirSync } from 'node:fs'
import type { LogRecord } from 'throughline/log'
import { membersOf } from 'throughline/json'
import type { Json } from 'throughline/json'
import { expect, test } from 'vitest'
import { tellThread } from '../../studio/description.ts'
import { hideStory } from '../../studio/hide-story.ts'
import { HIDDEN, hideAt } from '../../studio/story/index.ts'
import type { Told } from '../../studio/story/index.ts'
import { recordNamed } from '../../studio/story/record-named.fixture.ts'
import { retellCase } from '../audit/case-story.ts'
import { CASE_TELLINGS } from '../audit/tellings.ts'
import { RECORDED, upTo } from '../case/journey.fixture.ts'
import { given } from '../case/given-case.fixture.ts'
import { CASE_PERSONAL } from './personal-data.ts'

const CASE = { tellings: CASE_TELLINGS, retell: retellCase, personal: CASE_PERSONAL }
const hidden = (records: readonly LogRecord[]) => hideStory(tellThread(records, CASE), CASE)

const GOLDEN = 'test/order/golden'
const logs = readdirSync(GOLDEN).filter((file) => /^[\d.]+-(?!desk).*\.jsonl$/.test(file))
const recordsIn = (file: string): readonly LogRecord[] =>
  readFileSync(`${GOLDEN}/${file}`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** The texts in members that are marked as personal data. */
function personalTexts(records: readonly LogRecord[]): readonly string[] {
  const marks: Readonly<Record<string, readonly string[]>> = CASE_PERSONAL.events
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

test.each(logs)('[surfaces 33] no personal text of %s is in its hidden story', (file) => {
  const records = recordsIn(file)
  const texts = personalTexts(records)
  const story = valuesIn(hidden(records))
  expect(texts.length).toBeGreaterThan(0)
  expect(texts.filter((text) => story.includes(text))).toEqual([])
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
    'Not accepted: personal details. Hidden',
  ],
  [
    'event_refused',
    { type: 'withdraw_all', reason: 'precondition', detail: 'There is nothing' },
    'Not accepted: withdraw all. There is nothing',
  ],
  [
    'event_refused',
    { type: 'withdraw', reason: 'locked', detail: 'The case has ended' },
    'Not accepted: to withdraw the application. The case has ended',
  ],
  ['throughline.note', '[Sarah pressed]', 'The model was told: Hidden'],
  ['withdraw', { reason: 'ill' }, 'The customer withdrew the application'],
])('[surfaces 33] while hidden, %s of %j reads "%s"', (name, data, sentence) => {
  const [told] = hidden([recordNamed(name, data)])
  expect(told?.sentences).toEqual([sentence])
  expect(JSON.stringify(told)).not.toMatch(/Swindon|recent_life|A loss|is 17|Sarah|"ill"|true/)
})

test('[surfaces 33] a message is hidden in its parts and whole; who wrote it is not', () => {
  const parts = ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END'] as const
  const story = hidden(
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
  expect(story.at(-1)).toMatchObject({ whole: HIDDEN, by: { surface: 'customer' } })
})

test('[surfaces 33] a case hides what its personal events brought, and keeps the rest', () => {
  const { case: state } = given(...upTo('submit'), RECORDED.approved)
  const shown = hideAt(state as unknown as Json, CASE_PERSONAL.state)
  expect(shown).toMatchObject({
    contact: { firstName: HIDDEN, email: HIDDEN, mobile: HIDDEN },
    personal: { fullName: HIDDEN, dateOfBirth: HIDDEN },
    financial: { annualIncome: HIDDEN, vulnerabilityIndicators: HIDDEN },
    eligibility: { isOver18: HIDDEN },
    emailPreference: { wantsEmailCopy: false },
    project: state.project,
    consents: state.consents,
  })
})
