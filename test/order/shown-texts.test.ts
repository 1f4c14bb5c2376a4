import { expect, test } from 'vitest'
import type { ComplianceSummary } from '../../apps/broker/audit/compliance.ts'
import { compliance } from '../../apps/broker/audit/index.ts'
import type { Act } from '../../apps/broker/case/given-case.fixture.ts'
import { JOURNEY, upTo } from '../../apps/broker/case/journey.fixture.ts'
import { DISCLOSURE_IDS } from '../../apps/broker/disclosures/index.ts'
import { Journey, caseAfter, offerSeed, walk } from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { membersOf } from '../../src/json/index.ts'
import type { LogRecord } from '../../src/log/index.ts'
import type { Json } from '../../src/json/index.ts'
import { chance, newSeed } from '../chance.fixture.ts'
import { GatedCase, hashOf, sha256 } from './gated-case.fixture.ts'
import { WORDINGS, domainWithWordings, momentOfWording, wordings } from './shown-texts.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

type Random = () => number

const WRONG_HASHES = 1_000
const WRONG_HASHES_PER_ANSWER = 8
const JOURNEYS_WITHOUT_HASHES = 60

/** The answers of the journey, and the text that each is an answer to. */
const ANSWERS: ReadonlyMap<Act, string> = new Map<Act, string>([
  [JOURNEY.acknowledgeStatus, 'service_status'],
  [JOURNEY.grant, 'credit_search_consent'],
  [JOURNEY.confirmSummary, 'pre_contract_summary'],
])

const EVIDENCE = ['acknowledge_disclosure', 'capture_consent']

function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new RangeError('Cannot choose: there is nothing')
  return item
}

/** A case whose texts are presented in this wording, whatever is in force later. */
function caseInWording(wording: number): GatedCase {
  const played = new GatedCase(undefined, domainWithWordings)
  played.now = momentOfWording(wording)
  return played
}

async function presentedHash(played: GatedCase, id: string): Promise<string> {
  const { disclosures } = (await played.state()).case
  return disclosures.find((shown) => shown.id === id)?.contentHash ?? ''
}

/** The answer with this hash, or with none. */
function answer(act: Act, contentHash?: string): Act {
  return { ...act, data: { ...bare(act), ...(contentHash !== undefined && { contentHash }) } }
}

function bare({ data }: Act): object {
  const members = Object.entries(data ?? {}).filter(([name]) => name !== 'contentHash')
  return Object.fromEntries(members)
}

interface Shown {
  readonly id: string
  readonly hash: string
}

const textOfWording = (id: string, version: number) => wordings.disclosure(id, version)
const anyVersion = (random: Random) => 1 + Math.floor(random() * WORDINGS)

/** Ways to name another text than the one that was shown. */
const WRONG: Readonly<Record<string, (random: Random, shown: Shown) => string | undefined>> = {
  'another version': (random, { id }) => textOfWording(id, anyVersion(random))?.contentHash,
  'another disclosure': (random, { id }) => {
    const others = DISCLOSURE_IDS.filter((other) => other !== id)
    return textOfWording(oneOf(random, others), anyVersion(random))?.contentHash
  },
  'another case’s text': (random, { id }) => sha256(`${id} of another broker ${random()}`),
  'a flipped bit': (random, { hash }) => {
    const at = Math.floor(random() * hash.length)
    const flipped = Number.parseInt(hash.charAt(at), 16) ^ (1 << Math.floor(random() * 4))
    return `${hash.slice(0, at)}${flipped.toString(16)}${hash.slice(at + 1)}`
  },
  'upper case': (_, { hash }) => hash.toUpperCase(),
  padding: (random, { hash }) =>
    oneOf(random, [` ${hash}`, `${hash} `, `${hash}\n`, `0x${hash}`, `${hash}\u200B`, `${hash}0`]),
  'a part': (random, { hash }) => hash.slice(0, 1 + Math.floor(random() * (hash.length - 1))),
  'the title’s hash': (random, { id }) =>
    sha256(textOfWording(id, anyVersion(random))?.title ?? ''),
  'the body in other bytes': (random, { id }) =>
    sha256(textOfWording(id, anyVersion(random))?.body.replaceAll('\n', '\r\n') ?? ''),
}

/** Answers in the name of other texts, then of the right one; tells which were tried and accepted. */
async function answerWrongly(played: GatedCase, act: Act, random: Random) {
  const id = ANSWERS.get(act) ?? ''
  const hash = await presentedHash(played, id)
  const before = hashOf(await played.state())
  const kinds = Object.entries(WRONG)
  const wrong = Array.from({ length: WRONG_HASHES_PER_ANSWER }, () => {
    const [kind, make] = oneOf(random, kinds)
    return { kind, given: make(random, { id, hash }) }
  }).filter(({ given }) => given !== undefined && given !== hash)
  const accepted: string[] = []
  for (const { kind, given } of wrong) {
    const { answers } = await played.commit(answer(act, given))
    const isRefused = answers[0]?.refusal?.refused === 'evidence_mismatch'
    const isUnchanged = hashOf(await played.state()) === before
    if (!isRefused || !isUnchanged) accepted.push(`${kind} for ${id}`)
  }
  const { answers } = await played.commit(answer(act, hash))
  expect(answers[0]?.refusal).toBeUndefined()
  return { tried: wrong.length, accepted }
}

test(`[S11] ${WRONG_HASHES} answers that name another text than the one shown are refused`, async ({
  annotate,
}) => {
  const random = chance(newSeed())
  const accepted: string[] = []
  let tried = 0
  while (tried < WRONG_HASHES) {
    const played = caseInWording(Math.floor(random() * WORDINGS))
    for (const act of upTo('confirmSummary')) {
      if (ANSWERS.has(act)) {
        const done = await answerWrongly(played, act, random)
        tried += done.tried
        accepted.push(...done.accepted)
      } else {
        await played.commit(act)
      }
      // By the time of an answer another wording may be in force.
      if (random() < 0.1) played.now = momentOfWording(WORDINGS)
    }
  }
  expect(accepted).toEqual([])
  const kinds = Object.keys(WRONG).length
  await annotate(
    `${accepted.length} of ${tried} answers accepted that named another text, in ${kinds} ways`,
    'promise',
  )
})

/** Plays a journey in which some answers name no text, and gives their ids. */
async function playWithoutSomeHashes(played: GatedCase, random: Random): Promise<Set<string>> {
  const unbound = new Set<string>()
  for (const act of upTo('confirmSummary').flatMap((each) => repeated(each, random))) {
    const id = ANSWERS.get(act)
    const isBare = id !== undefined && random() < 0.5
    const hash = id === undefined || isBare ? undefined : await presentedHash(played, id)
    const { answers } = await played.commit(id === undefined ? act : answer(act, hash))
    expect(answers[0]?.refusal).toBeUndefined()
    if (isBare) unbound.add(answers[0]?.record.id ?? '')
  }
  return unbound
}

/** An answer may be given twice: the repeat is evidence as well. */
function repeated(act: Act, random: Random): readonly Act[] {
  return ANSWERS.has(act) && random() < 0.2 ? [act, act] : [act]
}

/** What the records of a journey say of its answers, by the answer's id. */
function answersIn(records: readonly LogRecord[]) {
  const presented = (id: Json | undefined) =>
    records.find(({ type, data }) => {
      return type === 'present_disclosure' && membersOf(data)['id'] === id
    })
  return records
    .filter(({ type, origin }) => EVIDENCE.includes(type) && origin.source === 'ui')
    .map(({ id, data }) => {
      const told = membersOf(data)
      const presentation = presented(told['id'] ?? 'credit_search_consent')
      const { version, contentHash } = membersOf(presentation?.data ?? null)
      return { id, told, shown: { version, contentHash, record: presentation?.id } }
    })
}

test('[S11] an answer without a hash is recorded as unbound and the audit names it', async ({
  annotate,
}) => {
  const random = chance(newSeed())
  const counts = { unbound: 0, found: 0, bound: 0, alarms: 0 }
  for (let count = 0; count < JOURNEYS_WITHOUT_HASHES; count++) {
    const played = caseInWording(Math.floor(random() * WORDINGS))
    const unnamed = await playWithoutSomeHashes(played, random)
    const records = await played.records()
    const { anomalies } = compliance((await played.state()).case, records)
    const seqs = anomalies.find(({ code }) => code === 'unbound_evidence')?.records ?? []
    const named = new Set(seqs.map((seq) => records[seq]?.id))
    for (const { id, told, shown } of answersIn(records)) {
      const isUnnamed = unnamed.has(id)
      expect(told['presented']).toEqual(shown)
      expect(told['contentHash']).toBe(isUnnamed ? undefined : shown.contentHash)
      counts[isUnnamed ? 'unbound' : 'bound']++
      if (told['bound'] === false && named.has(id)) counts[isUnnamed ? 'found' : 'alarms']++
    }
  }
  const { unbound, bound } = counts
  expect([unbound > 0, bound > 0]).toEqual([true, true])
  expect(counts).toEqual({ unbound, found: unbound, bound, alarms: 0 })
  await annotate(
    `${counts.found} of ${unbound} answers without a hash recorded as unbound and named by the audit, ${counts.alarms} of ${bound} with one`,
    'promise',
  )
})

/** The types of the records that a case's audit names for answers without a text. */
async function unboundInAudit(journey: Journey): Promise<readonly (string | undefined)[]> {
  const { broker, sessionId, tokens } = journey
  const { body } = await request(`${broker.url}/api/audit/${sessionId}`, { token: tokens.auditor })
  const { anomalies } = body['compliance'] as unknown as ComplianceSummary
  const records = await recordsOf(broker.log, sessionId)
  const unbound = anomalies.find(({ code }) => code === 'unbound_evidence')
  return (unbound?.records ?? []).map((seq) => records[seq]?.type)
}

test('[S11] the bare payload of an API caller is accepted, and its case shows it, also after a cold start', async () => {
  const [broker, other] = [await testBroker(), await testBroker()]
  const journey = await caseAfter(broker)
  await walk(journey)
  expect(await unboundInAudit(journey)).toEqual([
    'acknowledge_disclosure',
    'capture_consent',
    'acknowledge_disclosure',
  ])
  journey.broker = other
  await offerSeed(journey, journey.seed ?? '')
  expect(await unboundInAudit(journey)).toEqual(['case_hydrated'])
})
