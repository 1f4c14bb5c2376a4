import { replay } from 'throughline'
import { Holdings } from '../../src/log/index.ts'
import type { LogRecord } from 'throughline/log'
import { openLog } from 'throughline/log'
import { DueWorkLane } from '../../src/due-work/index.ts'
import { expect, test } from 'vitest'
import { START, domain } from '../../apps/broker/case/given-case.fixture.ts'
import type { Act } from '../../apps/broker/case/given-case.fixture.ts'
import { RECORDED, REFUSE, upTo } from '../../apps/broker/case/journey.fixture.ts'
import { waterfallRunner } from '../../apps/broker/case/waterfall-runner.ts'
import { builtInPanel } from '../../apps/broker/lenders/index.ts'
import type { LenderPanel } from '../../apps/broker/lenders/index.ts'
import { freshPath } from '../../src/storage/sqlite-folder.fixture.ts'
import { chance, newSeed } from '../chance.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { noisyJourney } from './any-acts.fixture.ts'
import { GatedCase, hashOf } from './gated-case.fixture.ts'

const JOURNEYS = timesInTier({ quick: 20, full: 500 })
const HOUR_MS = 3_600_000
const YEAR_MS = 365 * 24 * HOUR_MS
const JUMPS = [-HOUR_MS, YEAR_MS, 0, -YEAR_MS, HOUR_MS]

/** A case whose clock and whose log's clock are wrong, each time otherwise. */
async function atWrongTimes(random: () => number, store = 'memory:') {
  let now = START
  const log = await openLog(store, { now: () => now })
  const played = new GatedCase(log)
  const jump = () => {
    now = START + (JUMPS[Math.floor(random() * JUMPS.length)] ?? 0)
    played.now = now
  }
  const seen: LogRecord[] = []
  const reader = log.subscribe(played.thread)
  const reading = (async () => {
    for await (const batch of reader) seen.push(...batch)
  })()
  const end = async () => {
    await reader.return?.()
    await reading
    await log.close()
  }
  return { log, played, jump, seen, end }
}

/** Which version of a text is in force depends on the time, and the ids of records on the case. */
const NOT_COMPARED = ['version', 'contentHash', 'record']

/** The state of a case, without times. */
function withoutTimes(state: unknown): unknown {
  const text = JSON.stringify(state, (key, value: unknown) =>
    key.endsWith('At') || NOT_COMPARED.includes(key) ? undefined : value,
  )
  return JSON.parse(text)
}

function backwards(records: readonly LogRecord[]): number {
  return records.filter(({ ts }, index) => ts < (records[index - 1]?.ts ?? ts)).length
}

test(`[S8] ${JOURNEYS} journeys at a clock that jumps by an hour and a year stay in order`, async ({
  annotate,
}) => {
  const random = chance(newSeed())
  let [events, jumpsBack, reordered] = [0, 0, 0]
  for (let journey = 0; journey < JOURNEYS; journey++) {
    const { log, played, jump, seen, end } = await atWrongTimes(
      random,
      journey === 0 ? `sqlite:${freshPath()}` : 'memory:',
    )
    const told: LogRecord[] = []
    for (const act of noisyJourney(random)) {
      jump()
      const { answers, derived } = await played.commit(act)
      told.push(...answers.map(({ record }) => record), ...derived)
    }
    const records = await played.records()
    const where = `journey ${journey}`
    const moved = records.filter(({ seq, id }, index) => seq !== index || told[index]?.id !== id)
    expect(moved, where).toEqual([])
    while (seen.length < records.length) await new Promise((resolve) => setImmediate(resolve))
    expect(seen, where).toEqual(records)
    expect(await log.verify(played.thread)).toMatchObject({ ok: true })
    expect(hashOf(replay(domain, records)), where).toBe(hashOf(await played.state()))
    events += records.length
    jumpsBack += backwards(records)
    reordered += moved.length
    await end()
  }
  expect(jumpsBack).toBeGreaterThan(JOURNEYS)
  const said = `${events} events, ${jumpsBack} of them earlier by the clock than the one before`
  await annotate(`${said}: ${reordered} out of order`, 'promise')
}, 300_000)

const WHOLE: readonly Act[] = [...upTo('submit'), RECORDED.counter, REFUSE, RECORDED.exhausted]

test('[S8] a journey at a wrong clock has the same outcome as at a right one', async () => {
  const steady = new GatedCase()
  await steady.play(WHOLE)
  const { played, jump, end } = await atWrongTimes(chance(8))
  for (const act of WHOLE) {
    jump()
    const { answers } = await played.commit(act)
    expect(answers[0]?.refusal).toBeUndefined()
  }
  expect(withoutTimes(await played.state())).toEqual(withoutTimes(await steady.state()))
  await end()
})

test('[S8] work that is due is done once, however often and at any time it is begun', async ({
  annotate,
}) => {
  const asked: string[] = []
  const panel: LenderPanel = {
    ...builtInPanel,
    async decide(index, application, call) {
      asked.push(call.key)
      return builtInPanel.decide(index, application, call)
    },
  }
  let [taken, requested, recorded] = [0, 0, 0]
  for (let round = 0; round < JOURNEYS; round++) {
    const { log, played, jump, end } = await atWrongTimes(chance(round))
    await played.play(upTo('submit'))
    const { gate, thread } = played
    const holdings = new Holdings(log.leases)
    const parts = { gate, log, runners: { waterfall: waterfallRunner(panel) }, holdings }
    const onFault = (error: unknown) => expect.unreachable(String(error))
    const lanes = [0, 1, 2].map(() => new DueWorkLane({ ...parts, onFault }))
    const pass = { origin: { source: 'system', depth: 0 } } as const
    for (const lane of lanes) {
      jump()
      await Promise.all([lane.run(thread, pass), lane.run(thread, pass)])
      taken += 2
    }
    await Promise.all(lanes.map((lane) => lane.drain(1_000)))
    const records = await played.records()
    requested += records.filter(({ type }) => type === 'effect_requested').length
    recorded += records.filter(({ type }) => type === 'waterfall_recorded').length
    await end()
  }
  expect([requested, recorded]).toEqual([JOURNEYS, JOURNEYS])
  expect(asked).toHaveLength(JOURNEYS)
  await annotate(
    `work taken up ${taken} times: asked for ${requested} times in ${JOURNEYS} cases, recorded ${recorded} times`,
    'promise',
  )
})
