import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Gate, Runs } from 'throughline/server/extend'
import { endedTurn } from '../routes/turn-result.ts'
import type { TurnResult } from '../routes/turn-result.ts'
import { brokerDomain, waterfallRunner } from '../case/index.ts'
import type { BrokerState } from '../case/index.ts'
import { brokerDisclosures, disclosureRegistry } from '../disclosures/index.ts'
import { builtInPanel } from '../lenders/index.ts'
import { narrators, scriptedNarrator } from '../narrator/index.ts'
import { Journey } from './journey.fixture.ts'
import { serveBroker } from './served-broker.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'
import { UTTERANCES } from './utterances.fixture.ts'
import { AT_HAND } from './utterances-replies.fixture.ts'
import type { Utterance } from './utterances-replies.fixture.ts'
import { memoryLog, sha256 } from '../../../test/memory-log.fixture.ts'

const disclosures = disclosureRegistry(brokerDisclosures(builtInPanel.lenders), sha256)
const domain = brokerDomain({ disclosures })
const effects = { waterfall: waterfallRunner(builtInPanel) }
const { installer } = narrators({ model: scriptedNarrator(), domain, now: Date.now })

const CONTACT = ['firstName', 'lastName', 'email', 'mobile']
const LINK = ['generate_customer_link', 'installer_handoff_complete']

async function told({ before, said }: Utterance): Promise<TurnResult> {
  const id: () => string = randomUUID
  const log = memoryLog()
  const gate = new Gate<BrokerState>({ log, domain, now: Date.now, id, sha256 })
  const runs = new Runs<BrokerState>({ gate, log, agents: [installer], effects, id, sha256 })
  const say = (input: string) => runs.start('case', { agent: 'installer', input })
  for (const each of before) await say(each).result
  const turn = say(said)
  await turn.result
  return endedTurn(log, 'case', turn.run)
}

/** Returns the event types that an utterance must cause: those of its facts, and of the link. */
function expectedTypes({ facts, reply }: Utterance): readonly string[] {
  const names = Object.keys(facts)
  return [
    ...(names.some((name) => !CONTACT.includes(name)) ? ['record_project_facts'] : []),
    ...(names.some((name) => CONTACT.includes(name)) ? ['record_customer_contact'] : []),
    ...(reply.includes('Making ') ? LINK : []),
  ]
}

/** Removes the sentences about facts left out, after checking that each quotes the utterance. */
function withoutQuotes(reply: string, said: string): string {
  return reply.replaceAll(/I left out “([^”]*)”\. ?/g, (_, quote: string) => {
    expect(said).toContain(quote)
    return ''
  })
}

test.each(UTTERANCES)(
  '[surfaces 55] "$said" after $before: its facts, the next question, no more',
  async (row) => {
    const { display, events } = await told(row)
    expect(withoutQuotes(display ?? '', row.said)).toBe(row.reply)
    expect(events.map(({ type }) => type)).toEqual(expectedTypes(row))
    expect(Object.assign({}, ...events.map(({ data }) => data))).toEqual(row.facts)
    expect(events.filter(({ accepted }) => !accepted)).toEqual([])
  },
)

let broker: ServedBroker
beforeAll(async () => {
  broker = await serveBroker()
})
afterAll(() => broker.close())

test('[A030] what the gate refused is taken back in the next turn, and mended there', async () => {
  const journey = await Journey.start(broker)
  const directEvents = [
    { type: 'record_project_facts', data: { projectValue: 5_000, productSpec: 'panels_only' } },
    {
      type: 'record_customer_contact',
      data: { firstName: 'Sarah', email: 'sarah@example.com', mobile: '07700 900 123' },
    },
  ]
  await journey.turn('installer', { directEvents })
  const wrong = await journey.say('installer', 'six thousand deposit')
  expect(wrong.reply).toBe(`Understood: £6,000 deposit. Making Sarah's link now. ${AT_HAND}`)
  expect(await journey.refusedOfModel(wrong)).toEqual([
    { type: 'record_project_facts', reason: 'precondition' },
    { type: 'generate_customer_link', reason: 'precondition' },
    { type: 'installer_handoff_complete', reason: 'precondition' },
  ])
  expect(wrong.events).toEqual([])
  expect(await journey.state()).toMatchObject({ status: 'intake' })
  const mended = await journey.say('installer', 'sorry, five hundred')
  expect(mended.reply).toBe(
    'The project facts were not recorded. The deposit is more than the project value. ' +
      'The link was not made. Still missing before the hand-off: deposit. ' +
      `Understood: £500 deposit. Making Sarah's link now. ${AT_HAND}`,
  )
  expect(await journey.state()).toMatchObject({
    status: 'awaiting_customer',
    project: { projectValue: 5_000, depositAmount: 500 },
  })
})
