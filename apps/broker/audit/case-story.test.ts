import { expect, test } from 'vitest'
import type { Json, LogRecord, Origin } from 'throughline'
import { NO_CASE } from '../case/case-domain.ts'
import { whoOf } from '../../studio/story/index.ts'
import type { Told } from '../../studio/story/index.ts'
import { recordNamed } from '../../studio/story/record-named.fixture.ts'
import { storyOf } from './case-story.ts'
import { recordNames } from './record-types.fixture.ts'

const sentence = (name: string, data: Json = {}): string | undefined => {
  const [told] = storyOf([recordNamed(name, data)])
  return told?.sentences.join(' ')
}

test.each([
  [
    'capture_consent',
    { consentType: 'credit_search', granted: true },
    'Consent to credit search granted',
  ],
  [
    'capture_consent',
    { consentType: 'credit_search', granted: 'yes' },
    'Consent to credit search refused',
  ],
  [
    'record_project_facts',
    { projectValue: 1, depositPct: 10, productSpec: 'panels' },
    'Project recorded: price £1, deposit 10%, system panels',
  ],
  [
    'case_created',
    { retailerName: 'Sunny Roofs', demonstration: true },
    'The case was opened for Sunny Roofs, as a demonstration',
  ],
  [
    'effect_requested',
    { effect: 'waterfall', fromIndex: 1 },
    'Lenders were asked, from number 2 of the panel on',
  ],
  ['effect_requested', { effect: 'mail' }, 'Work outside was asked for: mail'],
  [
    'record_provisional_quote',
    { termMonths: 120, indicativeAprPct: 9.15, monthlyPayment: 197.7 },
    'The customer chose 10 years: £197.70 a month, 9.15% APR',
  ],
  [
    'present_disclosure',
    { id: 'service_status', version: 2 },
    'Disclosure shown: service status, version 2',
  ],
  ['case_outcome', { kind: 'selected' }, 'Outcome recorded: loan accepted'],
  ['case_outcome', { kind: 'withdrawn' }, 'Outcome recorded: no loan (withdrawn)'],
  [
    'event_refused',
    { type: 'withdraw', reason: 'locked' },
    'Not accepted: to withdraw the application. The case had ended',
  ],
  [
    'event_refused',
    { type: 'withdraw', reason: 'locked', detail: 'The case has ended as "case_complete"' },
    'Not accepted: to withdraw the application. The case has ended as “case complete”',
  ],
  [
    'event_refused',
    { type: 'capture_consent', reason: 'invalid_payload', detail: 'granted: expected boolean' },
    'Not accepted: the answer to a consent. The values were not valid',
  ],
  [
    'record_email_preference',
    { wantsEmailCopy: true },
    'The customer asked for a copy of the quote by email',
  ],
  [
    'record_eligibility',
    { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: false },
    'The customer answered the four eligibility questions: not yes to all',
  ],
  ['throughline.model_output', { error: 'refused' }, 'A call of the model failed: refused'],
  ['throughline.note', '[Opened.]', 'The model was told: [Opened.]'],
  ['token_revoked', { role: 'customer', token: 'id' }, 'A link of the customer was revoked'],
  [
    'link_opened',
    { role: 'customer', session: '0b9c4f52-3d1e-4a77-9f10-2f6d1c5a8e34' },
    'The link of the customer was opened in browser 0b9c4f52',
  ],
  [
    'acknowledge_disclosure',
    { id: 'service_status', bound: false },
    'Disclosure acknowledged: service status. The answer does not name the text',
  ],
  [
    'acknowledge_disclosure',
    { id: 'service_status', bound: true },
    'Disclosure acknowledged: service status',
  ],
  ['RUN_FINISHED', { outcome: { type: 'success' } }, 'The run ended'],
  ['something_new', {}, 'Recorded: something new'],
  ['SOMETHING_NEW', null, 'Recorded: something new'],
  ['throughline.something_new', 1, 'Recorded: something new'],
  ['constructor', {}, 'Recorded: constructor'],
])('[B009] %s of %j reads "%s"', (name, data, expected) => {
  expect(sentence(name, data)).toBe(expected)
})

test('[B009] the story has a sentence for every type of record', () => {
  const names = recordNames()
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name) => sentence(name)?.startsWith('Recorded: '))).toEqual([])
})

test('the story holds every record, also those in the background', () => {
  const records = recordNames().map((name) => recordNamed(name))
  const story = storyOf(records)
  expect(story.map(({ record }) => record)).toEqual(records)
  const background = story.filter(({ weight }) => weight === 'background')
  expect(background.map(({ record }) => record.type)).toEqual(
    expect.arrayContaining(['RUN_STARTED', 'STEP_STARTED', 'TEXT_MESSAGE_CONTENT', 'CUSTOM']),
  )
})

test.each<{ type: string; source: Origin['source']; reason: string; weight: Told['weight'] }>([
  { type: 'present_disclosure', source: 'ui', reason: 'precondition', weight: 'background' },
  { type: 'present_disclosure', source: 'model', reason: 'precondition', weight: 'background' },
  { type: 'present_disclosure', source: 'ui', reason: 'not_authorised', weight: 'mattered' },
  { type: 'acknowledge_disclosure', source: 'ui', reason: 'precondition', weight: 'mattered' },
])('[surfaces 35] a refused $type of the source $source ($reason) is $weight', (proposal) => {
  const { type, source, reason, weight } = proposal
  const data = { type, reason, detail: 'The text has already been presented' }
  const origin: Origin = { source, surface: 'customer', depth: 0 }
  const [told] = storyOf([{ ...recordNamed('event_refused', data), origin }])
  expect(told?.weight).toBe(weight)
  expect(told?.sentences.join()).toMatch(/^Not accepted: to .* a disclosure\. /)
})

test.each(['present_disclosure', 'event_refused'])(
  'a page that shows a disclosure by itself is named for its %s, not its person',
  (type) => {
    const data = type === 'event_refused' ? { type: 'present_disclosure', reason: 'locked' } : {}
    const [told] = storyOf([{ ...recordNamed(type, data), origin: CUSTOMER }])
    expect(told && whoOf(told.by)).toBe('Customer’s page')
  },
)

const message = (type: string, origin: Origin, delta?: string): LogRecord => ({
  ...recordNamed(type, { messageId: 'm', ...(delta === undefined ? {} : { delta }) }),
  origin,
})
const CUSTOMER: Origin = { source: 'ui', surface: 'customer', depth: 0 }

test('[B051] a recovered case lists the facts of its seed that the log does not hold yet', () => {
  const at = '2026-11-22T13:18:00.000Z'
  const state = {
    ...NO_CASE.case,
    sessionId: 'case-1',
    retailerName: 'Sunny Roofs',
    createdAt: at,
    updatedAt: at,
    emailPreference: { wantsEmailCopy: false, capturedAt: at },
  }
  const hydrated = recordNamed('case_hydrated', { ...NO_CASE, case: state } as unknown as Json)
  const story = storyOf([hydrated, hydrated])
  expect(story.map(({ recovered }) => recovered?.map(({ ts, summary }) => [ts, summary]))).toEqual([
    [
      [at, 'The case was opened for Sunny Roofs'],
      [at, 'The customer asked for no copy of the quote by email'],
    ],
    [],
  ])
})

test('a message that a recovery restated tells when the recovery happened', () => {
  const hydrated = { ...recordNamed('case_hydrated', {}), ts: 99 }
  const parts = ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END']
  const said = (origin: Origin) => parts.map((type) => message(type, origin, 'Hello'))
  const endOf = (records: readonly LogRecord[]) => storyOf(records).at(-1)?.restatedAt
  expect(endOf([hydrated, ...said(CUSTOMER)])).toBe(99)
  expect(endOf([hydrated, ...said({ ...CUSTOMER, run: 'run-1' })])).toBeUndefined()
  expect(endOf(said(CUSTOMER))).toBeUndefined()
})

test('the story tells each lender’s answer once, however often the list is recorded', () => {
  const step = (lender: string, kind: string, reason?: string) => ({
    lender,
    outcome: { kind, ...(reason === undefined ? {} : { reason }) },
  })
  const [first, second] = [
    step('Harbour', 'declined', 'AFFORDABILITY'),
    step('Meridian', 'approved_with_counter', 'LONGER_TERM'),
  ]
  const recorded = (steps: Json) => recordNamed('waterfall_recorded', { result: { steps } })
  const story = storyOf([recorded([first]), recorded([first, second]), recorded([first, second])])
  expect(story.map(({ sentences }) => sentences)).toEqual([
    ['Harbour: declined, the payments are too high for the income'],
    ['Meridian: offers different terms, the term is longer than asked for'],
    ['No lender was left to ask'],
  ])
})

test('a reply to a counter-offer names the lender that made the offer', () => {
  const counter = (lender: string) => ({ lender, outcome: { kind: 'approved_with_counter' } })
  const steps = [counter('Harbour'), { lender: 'Steadfast', outcome: { kind: 'declined' } }]
  const refused = recordNamed('refuse_counter_offer')
  const told = (before: LogRecord) => storyOf([before, refused]).at(-1)?.sentences
  expect(told(recordNamed('waterfall_recorded', { result: { steps } }))).toEqual([
    'Turned this offer down: Harbour',
  ])
  expect(told(recordNamed('case_hydrated', { case: { waterfall: { steps } } }))).toEqual([
    'Turned this offer down: Harbour',
  ])
  expect(storyOf([refused]).map(({ sentences }) => sentences)).toEqual([['Turned this offer down']])
})
