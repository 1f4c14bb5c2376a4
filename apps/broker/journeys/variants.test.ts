import { expect, test } from 'vitest'
import {
  CUSTOMER_STEPS,
  Journey,
  acceptOffer,
  caseAfter,
  handOver,
  offerSeed,
  walk,
} from './journey.fixture.ts'
import { timesInTier } from '../../../test/tier.fixture.ts'
import { request } from './served-broker.fixture.ts'
import type { Told } from './page-turn.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

type Step = (journey: Journey) => Promise<Told>

const REFUSE: Step = (journey) => journey.click(['refuse_counter_offer', {}])
const ACCEPT: Step = (journey) => journey.click(['accept_counter_offer', {}])

/** The journeys differ at their ends alone. */
const SOME = timesInTier({ quick: 5, full: 1 })

const JOURNEYS: readonly {
  readonly name: string
  readonly scenario: string
  readonly end: Step
  readonly outcome: string
  /** The steps from one new server to the next, counted from the end. */
  readonly each: number
}[] = [
  { name: 'clean', scenario: 'clean', end: acceptOffer, outcome: 'selected', each: 1 },
  {
    name: 'counter-offer accepted',
    scenario: 'counter',
    end: ACCEPT,
    outcome: 'selected',
    each: SOME,
  },
  {
    name: 'counter-offer refused',
    scenario: 'counter',
    end: REFUSE,
    outcome: 'declined',
    each: SOME,
  },
]

test.each(JOURNEYS)(
  '[B013] [B051] [B052] [B054] the $name journey goes on from the seed on a new server with an empty store, after every step',
  async ({ scenario, end, outcome, each }) => {
    let broker = await testBroker()
    const journey = await Journey.start(broker, scenario)
    const steps: readonly Step[] = [handOver, ...CUSTOMER_STEPS, end]
    for (const [at, step] of steps.entries()) {
      if (journey.seed !== undefined && (steps.length - 1 - at) % each === 0) {
        const before = await journey.state()
        await broker.close()
        broker = await testBroker()
        journey.broker = broker
        expect((await offerSeed(journey, journey.seed)).body).toMatchObject({ hydrated: true })
        expect(await journey.state()).toEqual(before)
        const [first] = await recordsOf(broker.log, journey.sessionId)
        expect(first?.type).toBe('case_hydrated')
      }
      expect((await step(journey)).end).toBe('finished')
    }
    expect(await journey.state()).toMatchObject({ caseOutcome: { kind: outcome } })
    const told = await request(`${broker.url}/api/session/${journey.sessionId}`, {
      token: journey.tokens.customer,
    })
    // The last server still has the first server's messages.
    const messages = told.body['customerMessages'] as unknown as { text: string }[]
    expect(messages[0]?.text).toMatch(/^Hello Sarah/)
    expect(messages.length).toBeGreaterThan(8)
  },
)

test('[B055] the store wins over an older seed, and over a forged or foreign one', async () => {
  const broker = await testBroker()
  const journey = await caseAfter(broker)
  const old = journey.seed ?? ''
  const other = await caseAfter(broker)
  for (const step of CUSTOMER_STEPS.slice(0, 3)) await step(journey)
  const head = await broker.log.head(journey.sessionId)
  const wrong = [other.seed ?? '', `${old.slice(0, -4)}AAAA`, 'nonsense']
  for (const seed of [old, ...wrong]) {
    expect((await offerSeed(journey, seed)).body).toMatchObject({
      hydrated: false,
      reason: seed === old ? 'already_held' : 'invalid_seed',
      case: { status: 'quote_ready' },
    })
  }
  expect(await broker.log.head(journey.sessionId)).toBe(head)
})

test('[A074] a second submission does not ask the lenders again', async () => {
  const broker = await testBroker()
  const journey = await caseAfter(broker)
  await walk(journey)
  await journey.turn('customer', {})
  await journey.click(['submit_application', {}])
  const records = await recordsOf(broker.log, journey.sessionId)
  expect(records.filter(({ type }) => type === 'waterfall_recorded')).toHaveLength(1)
})
