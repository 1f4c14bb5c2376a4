import { createHash } from 'node:crypto'
import { evolve, replay } from 'throughline'
import type { LogRecord } from 'throughline/log'
import { expect, test } from 'vitest'
import { domain, given } from '../../apps/broker/case/given-case.fixture.ts'
import type { Act, GivenCase } from '../../apps/broker/case/given-case.fixture.ts'
import { CASE_IN, JOURNEY, upTo } from '../../apps/broker/case/journey.fixture.ts'
import type { JourneyStep } from '../../apps/broker/case/journey.fixture.ts'
import { chance, newSeed } from '../chance.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { anyAct } from './any-acts.fixture.ts'

const SEQUENCES = timesInTier({ quick: 2_000, full: 10_000 })
/** After a start somewhere on the way. */
const ACTS = timesInTier({ quick: 6, full: 30 })

type BrokerState = typeof domain.initial

/** Every edge of the journey, as the requirements list it. */
const EDGES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  intake: {
    generate_customer_link: ['awaiting_customer'],
    installer_handoff_complete: ['awaiting_customer'],
  },
  awaiting_customer: {
    acknowledge_disclosure: ['customer_active'],
    record_personal_facts: ['customer_active'],
    record_financial_facts: ['customer_active'],
    record_eligibility: ['quote_ready', 'ineligible'],
  },
  customer_active: { record_eligibility: ['quote_ready', 'ineligible'] },
  quote_ready: {
    record_eligibility: ['ineligible'],
    submit_application: ['submitting'],
    case_complete: ['complete'],
  },
  submitting: {
    waterfall_recorded: ['selected', 'awaiting_counter_decision', 'declined', 'waterfall_running'],
  },
  waterfall_running: {
    waterfall_recorded: ['selected', 'awaiting_counter_decision', 'declined'],
  },
  awaiting_counter_decision: {
    accept_counter_offer: ['selected'],
    refuse_counter_offer: ['waterfall_running'],
  },
  selected: { case_complete: ['complete'] },
}
const ENDED = ['declined', 'ineligible', 'withdrawn', 'complete']

function isLegal(from: BrokerState, record: LogRecord, to: BrokerState): boolean {
  const [before, after] = [from.case.status, to.case.status]
  if (before === after) return true
  if (record.type === 'withdraw') {
    return after === 'withdrawn' && from.case.caseOutcome === undefined && !ENDED.includes(before)
  }
  return EDGES[before]?.[record.type]?.includes(after) === true
}

const hashOf = (state: unknown) => createHash('sha256').update(JSON.stringify(state)).digest('hex')
const revived = (state: BrokerState): BrokerState => JSON.parse(JSON.stringify(state))

interface Start {
  readonly given: GivenCase
  /** Before each of its records, and after the last. */
  readonly states: readonly BrokerState[]
}

/** How many cuts of the played events give another state, and which of its transitions are illegal. */
function check(played: GivenCase, { states: known }: Start) {
  const records: readonly LogRecord[] = JSON.parse(JSON.stringify(played.records))
  const live = hashOf(played.state)
  const first = known.length - 1
  const tail = records.slice(first)
  const states = known.slice(-1)
  for (const record of tail) states.push(evolve(domain, last(states), record))
  const wrongCuts = tail.filter((_, cut) => {
    const from = revived(states[cut] ?? domain.initial)
    const after = tail.slice(cut)
    return hashOf(after.reduce((state, record) => evolve(domain, state, record), from)) !== live
  })
  const illegal = tail.filter((record, index) => {
    const [from, to] = [states[index], states[index + 1]]
    return !from || !to || !isLegal(from, record, to)
  })
  const wrongReplay = hashOf(replay(domain, records)) === live ? 0 : 1
  return { accepted: tail.length, wrong: wrongCuts.length + wrongReplay, illegal }
}

function startFrom(...acts: readonly Act[]): Start {
  const start = given(...acts)
  const states = [domain.initial]
  for (const record of start.records) states.push(evolve(domain, last(states), record))
  return { given: start, states }
}

function last(states: readonly BrokerState[]): BrokerState {
  return states.at(-1) ?? domain.initial
}

test(`[S5] ${SEQUENCES} random sequences replay to one state from every cut, on legal edges only`, async ({
  annotate,
}) => {
  const random = chance(newSeed())
  const steps = Object.keys(JOURNEY) as readonly JourneyStep[]
  const starts = [...Object.values(CASE_IN), ...steps.map(upTo)].map((acts) => startFrom(...acts))
  for (const { given: played } of starts) {
    expect(check(played, startFrom())).toMatchObject({ wrong: 0, illegal: [] })
  }
  let [accepted, wrong, illegal] = [0, 0, 0]
  for (let sequence = 0; sequence < SEQUENCES; sequence++) {
    const start = starts[sequence % starts.length] ?? startFrom()
    let played = start.given
    for (let act = 0; act < ACTS; act++) played = played.when(anyAct(random))
    const found = check(played, start)
    const where = `sequence ${sequence}`
    expect(found.wrong, where).toBe(0)
    expect(found.illegal, where).toEqual([])
    accepted += found.accepted
    wrong += found.wrong
    illegal += found.illegal.length
  }
  expect(accepted).toBeGreaterThan(SEQUENCES)
  const said = `${SEQUENCES} sequences, ${accepted} accepted events`
  await annotate(
    `${said}: ${wrong} cuts with another hash, ${illegal} illegal transitions`,
    'promise',
  )
}, 300_000)
