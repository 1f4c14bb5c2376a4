import { expect, test } from 'vitest'
import { EMITTERS } from '../../apps/broker/case/given-case.fixture.ts'
import { JOURNEY, REFUSE, upTo } from '../../apps/broker/case/journey.fixture.ts'
import { waterfallRunner } from '../../apps/broker/case/index.ts'
import { builtInPanel } from '../../apps/broker/lenders/index.ts'
import type { LenderPanel } from '../../apps/broker/lenders/index.ts'
import { DueWorkLane } from '../../src/due-work/index.ts'
import { textOf } from '../../src/json/index.ts'
import { Holdings, LogError } from '../../src/log/index.ts'
import type { EventLog } from '../../src/log/index.ts'
import { logWith } from '../../src/log/log-with.fixture.ts'
import { restarted } from '../../src/log/restarted-log.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { GatedCase } from './gated-case.fixture.ts'

/** Of the second deaths one in so many is tried. */
const SECOND_DEATHS = timesInTier({ quick: 6, full: 1 })

type Scenario = 'decline' | 'counter'

interface Asked {
  readonly lender: string
  readonly key: string
  readonly application: string
}

/** A process that works on a case until the point at which it dies. */
class Process {
  points = 0
  readonly #diesAt: number

  constructor(diesAt: number) {
    this.#diesAt = diesAt
  }

  readonly at = (): void => {
    if (this.points++ < this.#diesAt) return
    throw new LogError('closed', 'Cannot append: the process has died')
  }

  logOver(log: EventLog): EventLog {
    const own = restarted(log)
    return logWith(own, {
      append: async (...args) => {
        this.at()
        const records = await own.append(...args)
        this.at()
        return records
      },
    })
  }

  panelOver(asked: Asked[]): LenderPanel {
    return {
      lenders: builtInPanel.lenders,
      decide: async (index, application, call) => {
        this.at()
        const { lender = '' } = builtInPanel.lenders[index] ?? {}
        asked.push({ lender, key: call.key, application: JSON.stringify(application) })
        const decision = await builtInPanel.decide(index, application, call)
        this.at()
        return decision
      },
    }
  }
}

const SUBMITTED = upTo('submit').slice(1)

async function submitted(scenario: Scenario): Promise<GatedCase> {
  const played = new GatedCase()
  const { create } = JOURNEY
  await played.commit({ ...create, data: { ...create.data, demoScenario: scenario } })
  await played.play(SUBMITTED)
  return played
}

/** Does all due work, or until the process dies; a counter-offer is refused. */
async function work(played: GatedCase, process: Process, asked: Asked[]): Promise<void> {
  const log = process.logOver(played.log)
  const reopened = new GatedCase(log)
  reopened.now = played.now
  const lane = new DueWorkLane({
    gate: reopened.gate,
    log,
    runners: { waterfall: waterfallRunner(process.panelOver(asked)) },
    holdings: new Holdings(log.leases),
    onFault: () => undefined,
  })
  const { thread } = played
  const origin = EMITTERS.system
  try {
    await lane.run(thread, { origin })
    if ((await reopened.state()).case.status !== 'awaiting_counter_decision') return
    await reopened.commit(REFUSE)
    await lane.run(thread, { origin })
  } catch (error) {
    if (!(error instanceof LogError)) throw error
  } finally {
    await lane.drain(0)
  }
}

async function answersIn(played: GatedCase): Promise<number> {
  return (await played.state()).case.waterfall?.steps.length ?? 0
}

/** Lets a case be worked on by processes that die at these points, and then by one that does not. */
async function lived(scenario: Scenario, deaths: readonly number[]) {
  const played = await submitted(scenario)
  const asked: Asked[] = []
  const again: string[] = []
  for (const diesAt of [...deaths, Infinity]) {
    const answered = await answersIn(played)
    const before = asked.length
    await work(played, new Process(diesAt), asked)
    const known = builtInPanel.lenders.slice(0, answered).map(({ lender }) => lender)
    again.push(
      ...asked.slice(before).flatMap(({ lender }) => (known.includes(lender) ? lender : [])),
    )
  }
  return { played, asked, again }
}

async function pointsOf(scenario: Scenario): Promise<number> {
  const process = new Process(Infinity)
  await work(await submitted(scenario), process, [])
  return process.points
}

test.each<Scenario>(['decline', 'counter'])(
  '[S3] wherever processes die in %s, a lender that answered is not asked again',
  async (scenario) => {
    const points = await pointsOf(scenario)
    // Three lenders, and for each a request, an answer and the asking itself, each with two points.
    expect(points).toBeGreaterThanOrEqual(18)
    const undisturbed = await (await lived(scenario, [])).played.state()
    const deaths = Array.from({ length: points }, (_, point) => point)
    for (const first of deaths) {
      for (const second of deaths.filter((point) => (first + point) % SECOND_DEATHS === 0)) {
        const where = `dies at ${first}, then at ${second}`
        const { played, asked, again } = await lived(scenario, [first, second])
        expect(again, where).toEqual([])
        const lenders = builtInPanel.lenders.map(({ lender }) => lender)
        expect([...new Set(asked.map(({ lender }) => lender))], where).toEqual(lenders)
        for (const lender of lenders) {
          const same = asked.filter((each) => each.lender === lender)
          expect(new Set(same.map(({ key }) => key)).size, where).toBe(1)
          expect(new Set(same.map(({ application }) => application)).size, where).toBe(1)
        }
        const records = await played.records()
        const effects = records.filter(({ type }) => type === 'effect_requested')
        expect(
          effects.map(({ data }) => textOf(data, 'key')),
          where,
        ).toEqual(['case-1:waterfall:0', 'case-1:waterfall:1', 'case-1:waterfall:2'])
        const outcomes = records.filter(({ type }) => type === 'waterfall_recorded')
        expect(
          outcomes.map(({ origin }) => origin.cause),
          where,
        ).toEqual(effects.map(({ id }) => id))
        const { status, waterfall } = (await played.state()).case
        expect([status, waterfall?.steps.map(({ outcome }) => outcome)], where).toEqual([
          undisturbed.case.status,
          undisturbed.case.waterfall?.steps.map(({ outcome }) => outcome),
        ])
      }
    }
  },
)
