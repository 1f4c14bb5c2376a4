import { scriptedModel } from 'throughline'
import type { LogRecord } from 'throughline/log'
import { TURNS_PER_MINUTE_MAX } from '../../src/server/index.ts'
import { expect, test } from 'vitest'
import { caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import type { Act } from '../../apps/broker/case/given-case.fixture.ts'
import { JOURNEY, upTo } from '../../apps/broker/case/journey.fixture.ts'
import { chance, newSeed } from '../chance.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { wildAct } from './any-acts.fixture.ts'
import { GatedCase, sha256 } from './gated-case.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

const PROPOSALS = timesInTier({ quick: 1_000, full: 30_000 })
const POSTS = timesInTier({ quick: 30, full: 600 })
const REPLIES = timesInTier({ quick: 20, full: 200 })
const EVENTS_PER_POST = 5
const PER_CASE = 500
/** Some reasons are rare: more is proposed until each of them came up, this much at most. */
const PROPOSALS_MAX = 20 * PROPOSALS
const RUN_MAX_MS = 300_000
const REASONS = ['invalid_payload', 'locked', 'not_authorised', 'precondition', 'unknown_type']

interface Refused {
  readonly type: string
  readonly reason: string
  readonly digest: string
}

/** A refusal, in the shape that the contract names. */
function refusedIn(record: LogRecord | undefined): Refused | undefined {
  return record?.type === 'event_refused' ? (record.data as unknown as Refused) : undefined
}

/** Whether a record says all that is due of the proposal that it refuses. */
function tells(refused: Refused, type: string, raw: string): boolean {
  const { reason, digest } = refused
  return refused.type === type.slice(0, 128) && /^[a-z_]+$/.test(reason) && digest === sha256(raw)
}

/** Proposes an event, and returns how it was refused and whether that was shown, or nothing. */
async function propose(played: GatedCase, act: Act) {
  const { answers } = await played.commit(act)
  const record = await played.log.find(played.thread, answers[0]?.record.id ?? '')
  const refused = refusedIn(record)
  const raw = JSON.stringify({ type: act.type, data: act.data ?? {} })
  const told = refused ? tells(refused, act.type, raw) : record?.type === act.type
  return { told, reason: refused?.reason }
}

test(
  `[S10] of ${PROPOSALS} or more proposals of any kind every one is on record, as itself or as refused`,
  async ({ annotate }) => {
    const seed = newSeed()
    const random = chance(seed)
    const reasons: string[] = []
    let silent = 0
    let tried = 0
    const missing = () => REASONS.some((reason) => !reasons.includes(reason))
    while (tried < PROPOSALS || (missing() && tried < PROPOSALS_MAX)) {
      const played = new GatedCase()
      await played.play(random() < 0.5 ? upTo('grant') : [JOURNEY.create])
      for (let n = 0; n < PER_CASE; n++, tried++) {
        const act = wildAct(random)
        const { told, reason } = await propose(played, act)
        expect(told, `try ${tried}: ${JSON.stringify(act)}`).toBe(true)
        if (reason) reasons.push(reason)
        if (!told) silent++
      }
    }
    expect([...new Set(reasons)].toSorted()).toEqual(REASONS)
    const said = `gate: ${tried} proposals, ${reasons.length} refused with reason and digest`
    await annotate(`${said}, ${silent} silent`, 'promise')
  },
  RUN_MAX_MS,
)

test(
  '[S10] of what a page posts every event is on record, as itself or as refused',
  async ({ annotate }) => {
    const seed = newSeed()
    const random = chance(seed)
    const broker = await testBroker()
    const journey = await caseAfter(broker)
    let [posted, refusals, silent] = [0, 0, 0]
    for (let post = 0; post < POSTS; post++) {
      const events = Array.from({ length: EVENTS_PER_POST }, () => {
        const { type, data = {} } = wildAct(random)
        return { type, data }
      })
      const head = await broker.log.head(journey.sessionId)
      const { status, body } = await request(
        `${broker.url}/api/threads/${journey.sessionId}/events`,
        { token: journey.tokens.customer, body: { events } },
      )
      expect(status, `${JSON.stringify(events)}`).toBe(200)
      const records = (await recordsOf(broker.log, journey.sessionId)).slice(head + 1)
      const told = events.filter(({ type, data }, index) => {
        const refused = refusedIn(records[index])
        const raw = JSON.stringify({ type, data })
        return refused ? tells(refused, type, raw) : records[index]?.type === type
      })
      expect(told).toEqual(events)
      expect(body['refused']).toHaveLength(records.filter(refusedIn).length)
      posted += events.length
      refusals += records.filter(refusedIn).length
      silent += events.length - told.length
    }
    await broker.close()
    const said = `posts: ${posted} events, ${refusals} refused with reason and digest`
    await annotate(`${said}, ${silent} silent`, 'promise')
  },
  RUN_MAX_MS,
)

/** Tags that mean nothing, or nothing that the model may say; each holds a number of its own. */
const TAGS: readonly ((n: number) => string)[] = [
  (n) => `<agent-event type="no_such_${n}" data='{}' />`,
  (n) => `<agent-event type="capture_consent" data='{"consentType":"credit_search","n":${n}}' />`,
  (n) => `<agent-event type="withdraw" data='{"reason":"${n}"}' />`,
  (n) => `<agent-event type="present_disclosure" data='{"id":${n},' />`,
  (n) => `<agent-event data='{"n":${n}}' />`,
  (n) => `<agent-event type="withdraw" data='[${n}]' />`,
  (n) => `<agent-event type="${'x'.repeat(200)}${n}" data='{}' />`,
]
const CUT_OFF = (n: number) => `<agent-event type="withdraw" data='{"n":${n}`

test(
  '[S10] of the tags in a model’s text every one that means nothing is on record as refused',
  async ({ annotate }) => {
    let reply = ''
    const quotas = { turnsPerMinute: TURNS_PER_MINUTE_MAX }
    const broker = await testBroker({ model: scriptedModel(() => reply), quotas })
    const journey = await caseAfter(broker)
    let [said, silent] = [0, 0]
    for (let n = 0; n < REPLIES; n++) {
      const tags = [...TAGS.map((tag, index) => tag(n * TAGS.length + index)), CUT_OFF(n)]
      reply = `Good. ${tags.join(' And then: ')}`
      const head = await broker.log.head(journey.sessionId)
      await journey.say('customer', 'Go on.')
      const records = (await recordsOf(broker.log, journey.sessionId)).slice(head + 1)
      const refused = records.flatMap((record) => refusedIn(record) ?? [])
      const digests = new Set(refused.map(({ digest }) => digest))
      const missing = tags.filter((tag) => !digests.has(sha256(tag)))
      expect(missing).toEqual([])
      expect(refused.filter(({ reason }) => !/^[a-z_]+$/.test(reason))).toEqual([])
      said += tags.length
      silent += missing.length
    }
    await broker.close()
    await annotate(
      `model: ${said} tags refused with reason and digest, ${silent} silent`,
      'promise',
    )
  },
  RUN_MAX_MS,
)
