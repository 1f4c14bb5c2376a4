import { expect, test } from 'vitest'
import { builtInPanel } from '../lenders/index.ts'
import { brokerDisclosures } from './broker-disclosures.ts'
import { DISCLOSURE_IDS } from './disclosure.ts'
import { disclosureRegistry } from './registry.ts'
import { sha256 } from '../../../test/memory-log.fixture.ts'

const texts = brokerDisclosures(builtInPanel.lenders)
const registry = disclosureRegistry(texts, sha256)
const bodyOf = (id: string): string => registry.disclosure(id)?.body ?? ''

test('every disclosure is in force, in the order of the journey', () => {
  expect([...new Set(texts.map(({ id }) => id))]).toEqual(DISCLOSURE_IDS)
  const now = new Date().toISOString()
  expect(DISCLOSURE_IDS.map((id) => registry.current(id, now)?.responseExpectation)).toEqual([
    'acknowledge',
    'grant_or_refuse',
    'affirm_or_deny',
    'none',
  ])
})

// A changed text is a new version: add one, and its hash here, and leave the old ones.
test('the text of a version never changes', () => {
  expect(texts.map(({ id, version, body }) => `${id} ${version} ${sha256(body)}`)).toEqual([
    'service_status 1 5efe8ffb82c0d18436ac2681e8ba6526b54e3350901945e1cac5c5556d1414af',
    'service_status 2 3d47fe4bd0a7a8e6dc98b3bdd3b1a8f51537dac168876090f1d13418e8180c1f',
    'credit_search_consent 1 09e2765ab3e4a1db1427dcc33f205a04e7e2c79ec7f42cf521a77abbdc54e1a2',
    'credit_search_consent 2 ee909fa4f407f0dce5070dbe8758524d1a9ac7fd6ed732a54754d4617884f888',
    'credit_search_consent 3 bbeabff434ec381f9400c5aa00b3ab745e1be353eb5b9a19202950aadf67eba7',
    'pre_contract_summary 1 9c5fbdede34f2a60f65795cf72cef2e78283891f13dedd1e63615ad346b29005',
    'pre_contract_summary 2 2ddab3fde2632a30b7c44f3ba34a5cb80a1a40acd2104cfacf463550a4ac4547',
    'decline_signposting 1 0464e8a015c083ffe3454bac04e1548b2e83ce959fa7a7ca6816ab2d97771cab',
  ])
})

const factsOf = (id: string) => registry.disclosure(id)?.keyFacts ?? []

test.each(['service_status', 'credit_search_consent', 'pre_contract_summary'])(
  'the newest %s begins with four key facts in short sentences',
  (id) => {
    const facts = factsOf(id)
    expect(facts).toHaveLength(4)
    for (const { title, text } of facts) {
      expect(title).not.toMatch(/[.!?]/)
      const words = text.split(/(?<=[.])\s/).map((sentence) => sentence.split(' ').length)
      expect(Math.max(...words)).toBeLessThanOrEqual(15)
    }
  },
)

test('the key facts name the number of lenders and their order', () => {
  expect(factsOf('service_status')[0]?.text).toContain(`up to ${builtInPanel.lenders.length}`)
  const inOrder = builtInPanel.lenders.map(({ lender }) => lender).join(', then ')
  expect(factsOf('credit_search_consent')[1]?.text).toContain(`${inOrder}. `)
})

test.each([
  ['the firm and its number', ['Clearpath', '(demonstration)', 'placeholder', 'register.fca']],
  ['its part', ['credit broker, not a lender', 'retailer is an introducer', 'panel of 3 lenders']],
  ['its income', ['no fee', 'commission', 'Ask us at any time']],
  ['the way ahead', ['What happens next', 'AI assistant']],
  ['how to complain', ['8 weeks', 'Financial Ombudsman Service', '0800 023 4567']],
])('the service disclosure says %s', (_subject, phrases) => {
  expect(phrases.filter((phrase) => !bodyOf('service_status').includes(phrase))).toEqual([])
})

test('the consent names the lenders in the order in which they are asked', () => {
  const names = builtInPanel.lenders.map(({ lender }) => `- ${lender}`).join('\n')
  expect(bodyOf('credit_search_consent')).toContain(`in this order:\n\n${names}\n\n`)
})

test.each([
  ['the searches', ['soft search', 'hard search', '12 months', 'credit score']],
  ['the shared data', ['what we share', 'do not share this conversation', 'not what they are']],
  ['the choice', ['You can refuse', 'no search is made', 'withdraw your consent']],
])('the consent says %s', (_subject, phrases) => {
  expect(phrases.filter((phrase) => !bodyOf('credit_search_consent').includes(phrase))).toEqual([])
})

test.each([
  ['the declaration', ['true and complete', 'criminal offence', 'lenders on our panel']],
  ['the key terms', ['Amount of credit', 'Term:', 'APR', 'Monthly payment', 'total']],
  ['the risks and rights', ['Missing payments', '14 days', 'withdraw', '30 days']],
  ['what the lender gives', ['SECCI', 'PCCI', 'Before you sign']],
])('the pre-contract summary says %s', (_subject, phrases) => {
  expect(phrases.filter((phrase) => !bodyOf('pre_contract_summary').includes(phrase))).toEqual([])
})

test('a declined customer is pointed to free advice and not to another try', () => {
  const body = bodyOf('decline_signposting')
  for (const service of ['StepChange', '0800 138 1111', 'MoneyHelper', 'Citizens Advice']) {
    expect(body).toContain(service)
  }
  expect(body).not.toMatch(/try again|apply again/i)
})

test('the texts are calm and can be read', () => {
  for (const { title, body } of texts) {
    expect(`${title} ${body}`).not.toMatch(
      /!|brilliant|perfect|amazing|fantastic|wonderful|lovely/i,
    )
    const sentences = body.split(/(?<=[.:])\s|\n/)
    expect(sentences.filter((sentence) => sentence.split(' ').length > 35)).toEqual([])
  }
})
