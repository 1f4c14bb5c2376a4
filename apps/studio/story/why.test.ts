import { expect, test } from 'vitest'
import type { Json, Origin } from 'throughline/client'
import { recordNamed } from './record-named.fixture.ts'
import { tellRecords } from './story.ts'
import { reasonsFor } from './why.ts'

interface Given {
  readonly type: string
  readonly origin: Origin
  readonly data?: Json
}

const RULES = new Map([['R1', 'Rule R1: a yes acknowledges the text.']])

/** The reasons of the last of some records. */
function reasonsOfLast(...given: readonly Given[]) {
  const story = tellRecords(
    given.map(({ type, origin, data = {} }, seq) => ({
      ...recordNamed(type, data),
      seq,
      id: `record-${seq}`,
      origin,
    })),
  )
  const last = story.at(-1)
  return last ? reasonsFor(last, story, RULES) : []
}

const CLICK: Given = {
  type: 'capture_consent',
  data: { consentType: 'credit_search', granted: true },
  origin: { source: 'ui', surface: 'customer', depth: 0 },
}

test('a rule explains itself and names the record that it follows from', () => {
  const rule: Given = {
    type: 'acknowledge_disclosure',
    data: { id: 'credit_search_consent' },
    origin: { source: 'rule', rule: 'R1', cause: 'record-0', depth: 0 },
  }
  expect(reasonsOfLast(CLICK, rule)).toEqual([
    { words: 'Rule R1: a yes acknowledges the text.' },
    {
      words: expect.stringMatching(/^It follows from record 0: “Recorded: capture consent”$/),
      seq: 0,
    },
  ])
})

test('what a model proposed names the message that its turn answered', () => {
  const run = { surface: 'installer', run: 'r', depth: 0 } as const
  const said: readonly Given[] = [
    {
      type: 'TEXT_MESSAGE_START',
      data: { messageId: 'm', role: 'user' },
      origin: { source: 'ui', ...run },
    },
    {
      type: 'TEXT_MESSAGE_CONTENT',
      data: { messageId: 'm', delta: '£17,500 for solar' },
      origin: { source: 'ui', ...run },
    },
    { type: 'TEXT_MESSAGE_END', data: { messageId: 'm' }, origin: { source: 'ui', ...run } },
  ]
  const proposed: Given = {
    type: 'record_project_facts',
    data: { projectValue: 17_500 },
    origin: { source: 'model', ...run },
  }
  expect(reasonsOfLast(...said, proposed)).toEqual([
    { words: 'Model for the installer proposed this, and the rules allowed it.' },
    {
      words: 'The turn answered record 2, in which Installer wrote “£17,500 for solar”',
      seq: 2,
    },
  ])
  expect(reasonsOfLast(...said)).toEqual([
    { words: 'Installer wrote this. Words alone change nothing.' },
  ])
})

test('a press, the server and a refusal each give their own reason', () => {
  expect(reasonsOfLast(CLICK)).toEqual([{ words: 'Customer did this on their own page.' }])
  const system: Given = { type: 'case_created', origin: { source: 'system', depth: 0 } }
  expect(reasonsOfLast(system)[0]?.words).toMatch(/^The server recorded this/)
  const refused: Given = {
    type: 'event_refused',
    data: { type: 'capture_consent', reason: 'not_authorised', source: 'model' },
    origin: { source: 'model', surface: 'customer', depth: 0 },
  }
  expect(reasonsOfLast(refused)[0]?.words).toBe(
    'Model for the customer asked for this, and it was not allowed.',
  )
})
