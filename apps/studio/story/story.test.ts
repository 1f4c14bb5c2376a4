import { expect, test } from 'vitest'
import type { Json, LogRecord, Origin } from 'throughline/client'
import { recordNamed } from './record-named.fixture.ts'
import { tellRecords } from './story.ts'
import { whoOf } from './who.ts'

const sentencesOf = (name: string, data: Json, tellings = {}) =>
  tellRecords([recordNamed(name, data)], tellings).flatMap(({ sentences }) => sentences)

test.each([
  [
    'event_refused',
    { type: 'close_ticket', reason: 'locked' },
    'Not accepted: close ticket (locked)',
  ],
  ['event_refused', {}, 'Not accepted: something without a name ()'],
  ['effect_requested', { effect: 'send_mail' }, 'Work outside was asked for: send mail'],
  ['ticket_closed', {}, 'Recorded: ticket closed'],
  ['constructor', {}, 'Recorded: constructor'],
])('%s of %j reads "%s" in a thread of any application', (name, data, expected) => {
  expect(sentencesOf(name, data)).toEqual([expected])
})

test('an application gives sentences for its own types and may replace those of the library', () => {
  const tellings = {
    ticket_closed: { sentence: 'The ticket was closed' },
    link_opened: { sentence: 'A person looked' },
  }
  expect(sentencesOf('ticket_closed', {}, tellings)).toEqual(['The ticket was closed'])
  expect(sentencesOf('link_opened', {}, tellings)).toEqual(['A person looked'])
})

const message = (type: string, origin: Origin, delta?: string): LogRecord => ({
  ...recordNamed(type, { messageId: 'm', ...(delta === undefined ? {} : { delta }) }),
  origin,
})
const CUSTOMER: Origin = { source: 'ui', surface: 'customer', depth: 0 }

test('the parts of a message are cut between words, and its end has the whole text', () => {
  const story = tellRecords([
    message('TEXT_MESSAGE_START', CUSTOMER),
    message('TEXT_MESSAGE_CONTENT', CUSTOMER, 'Panels with ba'),
    message('TEXT_MESSAGE_CONTENT', CUSTOMER, 'ttery for £17'),
    message('TEXT_MESSAGE_CONTENT', CUSTOMER, ',500.'),
    message('TEXT_MESSAGE_END', CUSTOMER),
  ])
  expect(story.slice(1).map(({ sentences }) => sentences.join())).toEqual([
    'Part of a message: “Panels with battery”',
    'Part of a message: “for £17,500.”',
    'The message goes on within a word',
    '“Panels with battery for £17,500.”',
  ])
  expect(story.map(({ weight }) => weight)).toEqual([
    ...Array.from({ length: 4 }, () => 'background'),
    'mattered',
  ])
})

test('a message that the system closed keeps its author', () => {
  const system: Origin = { source: 'system', surface: 'customer', depth: 0 }
  const [, , end] = tellRecords([
    message('TEXT_MESSAGE_START', CUSTOMER),
    message('TEXT_MESSAGE_CONTENT', CUSTOMER, 'Hello'),
    message('TEXT_MESSAGE_END', system),
  ])
  expect(end?.by).toEqual(CUSTOMER)
})

test('the story keeps the whole output of a model call beside its sentence, also of a failed one', () => {
  const output = (more: object) => recordNamed('throughline.model_output', { text: 'Hi', ...more })
  expect(tellRecords([output({}), output({ error: 'timeout' })])).toMatchObject([
    { weight: 'background', whole: 'Hi' },
    { weight: 'mattered', whole: 'Hi' },
  ])
})

test('a message without words did not matter', () => {
  const [, end] = tellRecords([
    message('TEXT_MESSAGE_START', CUSTOMER),
    message('TEXT_MESSAGE_END', CUSTOMER),
  ])
  expect(end).toMatchObject({ weight: 'background' })
})

test.each<[Origin, string]>([
  [CUSTOMER, 'Customer'],
  [{ source: 'ui', surface: 'installer', depth: 0 }, 'Installer'],
  [{ source: 'ui', surface: 'auditor', depth: 0 }, 'Auditor'],
  [{ source: 'ui', surface: 'operator', depth: 0 }, 'Operator'],
  [{ source: 'ui', surface: 'support', depth: 0 }, 'Support'],
  [{ source: 'ui', depth: 0 }, 'Person'],
  [{ source: 'model', surface: 'customer', agent: 'customer', depth: 0 }, 'Model for the customer'],
  [{ source: 'process', agent: 'coder', depth: 1 }, 'Model (coder)'],
  [{ source: 'remote', surface: 'monitor', actor: 'up', depth: 0 }, 'Another program (monitor)'],
  [{ source: 'process', depth: 0 }, 'Another program'],
  [{ source: 'rule', rule: 'R2', depth: 0 }, 'Rule R2'],
  [{ source: 'system', surface: 'customer', depth: 0 }, 'System'],
])('%j is called %s', (origin, who) => {
  expect(whoOf(origin)).toBe(who)
})
