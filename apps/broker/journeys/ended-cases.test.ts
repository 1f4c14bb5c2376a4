import { afterEach, expect, test } from 'vitest'
import { CUSTOMER_STEPS, Journey, acceptOffer, caseAfter, walk } from './journey.fixture.ts'
import type { Setting } from './served-broker.fixture.ts'
import { scriptedModel } from 'throughline'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

let close = async (): Promise<void> => undefined

afterEach(() => close())

type End = 'declined' | 'ineligible' | 'withdrawn' | 'complete'

const NOT_OWNER = { isOver18: true, isUkResident: true, isHomeowner: false, isEmployed: true }

const ENDS: Readonly<Record<End, (journey: Journey) => Promise<unknown>>> = {
  declined: walk,
  async ineligible(journey) {
    for (const step of CUSTOMER_STEPS.slice(0, 2)) await step(journey)
    await journey.click(['record_eligibility', NOT_OWNER])
  },
  async withdrawn(journey) {
    for (const step of CUSTOMER_STEPS.slice(0, 4)) await step(journey)
    await journey.click(['withdraw', {}])
  },
  async complete(journey) {
    await walk(journey)
    await acceptOffer(journey)
    await journey.click(['case_complete', {}])
  },
}

async function ended(end: End, setting: Setting = {}): Promise<Journey> {
  const broker = await testBroker(setting)
  close = broker.close
  const journey = await caseAfter(broker, 0, end === 'declined' ? 'decline' : 'clean')
  await ENDS[end](journey)
  expect(await journey.state()).toMatchObject({ status: end })
  return journey
}

test.each<readonly [End, RegExp]>([
  ['declined', /your installer about another way to pay/],
  ['ineligible', /your installer about another way to pay/],
  ['withdrawn', /ask your installer for a new link/],
  ['complete', /sends you its agreement/],
])('a customer whose case is %s asks what happens next, and is answered', async (end, answer) => {
  const journey = await ended(end)
  const before = await journey.state()
  const { end: turn, reply } = await journey.say('customer', 'What happens next?')
  expect([turn, reply]).toEqual(['finished', expect.stringMatching(answer)])
  const late = await journey.click(
    ['withdraw', {}],
    ['record_provisional_quote', { termMonths: 84 }],
  )
  expect(late.refused).toEqual([
    { type: 'withdraw', reason: 'locked' },
    { type: 'record_provisional_quote', reason: 'locked' },
  ])
  expect(await journey.state()).toEqual(before)
})

test('events that a model proposes in an ended case are refused, and its answer is shown', async () => {
  const tags = ['submit_application', 'withdraw', 'capture_consent'].map(
    (type) => `<agent-event type="${type}" data='{}' />`,
  )
  const journey = await ended('withdrawn', {
    model: scriptedModel(() => ['You can ask your installer.', ...tags].join('\n')),
  })
  const before = await journey.state()
  const told = await journey.say('customer', 'Send it after all')
  expect(told.reply).toBe('You can ask your installer.')
  expect([told.events, await journey.refusedOfModel(told)]).toMatchObject([[], [{}, {}, {}]])
  expect(await journey.state()).toEqual(before)
  const types = (await recordsOf(journey.broker.log, journey.sessionId)).map(({ type }) => type)
  expect(types).not.toContain('submit_application')
})
