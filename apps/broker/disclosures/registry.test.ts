import { expect, test } from 'vitest'
import type { DisclosureText } from './disclosure.ts'
import { blocksBehind, withKeyFacts } from './key-facts.ts'
import { disclosureRegistry } from './registry.ts'
import { sha256 } from '../../../test/memory-log.fixture.ts'

const first: DisclosureText = {
  id: 'service_status',
  version: 1,
  title: 'About us',
  body: 'We are a broker.',
  responseExpectation: 'acknowledge',
  draftedBy: 'A',
  approvedBy: 'B',
  approvedAt: '2025-12-01T09:00:00.000Z',
  effectiveFrom: '2026-01-01T00:00:00.000Z',
  effectiveTo: '2026-06-01T00:00:00.000Z',
  retiredAt: null,
}

const second: DisclosureText = {
  ...first,
  version: 2,
  body: 'We are a credit broker.',
  approvedAt: '2026-05-01T09:00:00.000Z',
  effectiveFrom: '2026-06-01T00:00:00.000Z',
  effectiveTo: null,
}

const versions = disclosureRegistry([first, second], sha256)
const inForce = (at: string) => versions.current('service_status', at)?.version

test('an old version stays readable, word for word, under its own hash', () => {
  expect(versions.disclosure('service_status', 1)).toEqual({
    id: 'service_status',
    version: 1,
    title: 'About us',
    keyFacts: [],
    body: 'We are a broker.',
    responseExpectation: 'acknowledge',
    approvedBy: 'B',
    approvedAt: '2025-12-01T09:00:00.000Z',
    effectiveFrom: '2026-01-01T00:00:00.000Z',
    effectiveTo: '2026-06-01T00:00:00.000Z',
    retiredAt: null,
    contentHash: sha256('We are a broker.'),
  })
  expect(versions.disclosure('service_status', 2)?.contentHash).toBe(sha256(second.body))
  expect(versions.disclosure('service_status')?.version).toBe(2)
})

test('the version in force changes at the moment its dates say', () => {
  expect(inForce('2025-12-31T23:59:59.999Z')).toBeUndefined()
  expect(inForce('2026-01-01T00:00:00.000Z')).toBe(1)
  expect(inForce('2026-05-31T23:59:59.999Z')).toBe(1)
  expect(inForce('2026-06-01T00:00:00.000Z')).toBe(2)
})

test('a retired version is no longer shown, but kept', () => {
  const retired = { ...second, retiredAt: '2026-07-01T00:00:00.000Z' }
  const registry = disclosureRegistry([first, retired], sha256)
  expect(registry.current('service_status', '2026-06-30T23:59:59.999Z')?.version).toBe(2)
  expect(registry.current('service_status', '2026-07-01T00:00:00.000Z')).toBeUndefined()
  expect(registry.disclosure('service_status', 2)?.body).toBe(second.body)
})

test('a version may follow one that was retired', () => {
  const withdrawn = { ...first, effectiveTo: null, retiredAt: '2026-03-01T00:00:00.000Z' }
  const registry = disclosureRegistry([withdrawn, second], sha256)
  expect(registry.current('service_status', '2026-04-01T00:00:00.000Z')).toBeUndefined()
  expect(registry.current('service_status', '2026-06-01T00:00:00.000Z')?.version).toBe(2)
})

test('what does not exist is answered with nothing', () => {
  expect(versions.disclosure('service_status', 3)).toBeUndefined()
  expect(versions.disclosure('__proto__')).toBeUndefined()
  expect(versions.current('secci', '2026-06-01T00:00:00.000Z')).toBeUndefined()
})

const keyFacts = ['One', 'Two', 'Three', 'Four'].map((title) => ({ title, text: 'A fact.' }))
const body = withKeyFacts(keyFacts, 'We are a broker.')

test('key facts are part of the body, so the hash covers them', () => {
  const registry = disclosureRegistry([{ ...first, keyFacts, body }], sha256)
  expect(registry.disclosure('service_status')).toMatchObject({
    keyFacts,
    contentHash: sha256(body),
  })
  expect(body).toBe(
    '- One. A fact.\n- Two. A fact.\n- Three. A fact.\n- Four. A fact.\n\nWe are a broker.',
  )
  expect(blocksBehind(keyFacts, body)).toEqual([{ kind: 'paragraph', text: 'We are a broker.' }])
  expect(blocksBehind([], body)).toHaveLength(2)
})

test.each<[string, Partial<DisclosureText>]>([
  ['its body does not begin with its key facts', { keyFacts }],
  ['its body does not begin with its key facts', { keyFacts: keyFacts.toReversed(), body }],
  ['it has 3 key facts, not 4', { keyFacts: keyFacts.slice(1), body }],
])('key facts are refused: %s', (fault, change) => {
  expect(() => disclosureRegistry([{ ...first, ...change }], sha256)).toThrow(fault)
})

test('an author cannot approve their own draft', () => {
  expect(() => disclosureRegistry([{ ...first, approvedBy: 'A' }], sha256)).toThrow(
    "Cannot publish 'service_status' version 1: 'A' drafted and approved it",
  )
})

test.each<[string, Partial<DisclosureText>]>([
  ['nobody approved it', { approvedBy: '' }],
  ['it took effect unapproved', { approvedAt: '2026-01-01T00:00:00.001Z' }],
  ['it is longer than 8000 characters', { body: 'a'.repeat(8_001) }],
  ['expected version 1', { version: 2 }],
  ["Cannot read the time: it is 'soon'", { effectiveFrom: 'soon' }],
])('a first version is refused: %s', (fault, change) => {
  expect(() => disclosureRegistry([{ ...first, ...change }], sha256)).toThrow(fault)
})

test.each(['', ' a', 'a\nb', '<b>a</b>', 'a **b**', '- a\nb', 'a\n\n\n\nb', '- '])(
  'a body is refused that is more than paragraphs and lists: %j',
  (body) => {
    expect(() => disclosureRegistry([{ ...first, body }], sha256)).toThrow('paragraphs and lists')
  },
)

test.each<[string, DisclosureText[]]>([
  ['expected version 2', [first, first]],
  ['expected version 2', [first, { ...second, version: 3 }]],
  ['version 1 was not closed', [{ ...first, effectiveTo: null }, second]],
  ['version 1 is in force', [first, { ...second, effectiveFrom: '2026-05-31T00:00:00.000Z' }]],
])('a later version is refused: %s', (fault, texts) => {
  expect(() => disclosureRegistry(texts, sha256)).toThrow(fault)
})
