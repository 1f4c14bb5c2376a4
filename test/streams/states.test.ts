import fc from 'fast-check'
import { subscribe } from 'throughline/client'
import type { StatefulUpdate } from 'throughline/client'
import { expect, test } from 'vitest'
import { Journey, handOver, walk } from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { switchOn } from '../../src/domain/lamp.fixture.ts'
import { listen, threadStreams } from '../../src/server/event-streams.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

const SIDES = ['customer', 'installer', 'auditor'] as const
const quickly = { random: () => 0.01 }
const say = {
  type: 'CUSTOM',
  data: { name: 'said' },
  origin: { source: 'model', run: 'r', depth: 0 },
} as const

/** An act on a thread or on its readers. */
const anyAct = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('switch'), watts: fc.integer({ min: 1, max: 60 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('say'), times: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cut') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rest') }) },
)

test('[E1] whatever happens, cut anywhere: each state that a stream brings is the fold up to its seq', async () => {
  const streams = threadStreams({ stallMaxMs: 60_000 })
  const { port } = await listen(streams)
  const { gate, log } = streams
  const commit = (watts: number) => gate.commit('t', [switchOn(watts, { id: crypto.randomUUID() })])
  await commit(10)
  let states = 0
  const property = fc.asyncProperty(
    fc.array(anyAct, { maxLength: 25 }),
    fc.nat({ max: 20 }),
    async (acts, back) => {
      const head = await log.head('t')
      const seen: StatefulUpdate[] = []
      const url = `http://127.0.0.1:${port}/`
      const after = Math.max(-1, head - back)
      const updates = subscribe({ url, after, epoch: log.epoch, state: true, ...quickly })
      const reading = (async () => {
        for await (const update of updates) seen.push(update)
      })()
      for (const act of acts) {
        if (act.kind === 'switch') await commit(act.watts)
        else if (act.kind === 'say')
          await log.append(
            't',
            Array.from({ length: act.times }, () => say),
          )
        else if (act.kind === 'cut') streams.streams.close()
        await new Promise((resolve) => setTimeout(resolve, act.kind === 'rest' ? 4 : 0))
      }
      const last = await commit((head % 60) + 1)
      const { state: wanted } = await gate.state('t')
      const latest = () => seen.findLast((update) => update.type === 'state')
      await expect.poll(() => latest()?.state, { timeout: 10_000 }).toEqual(wanted)
      const newest = () =>
        Math.max(...seen.map((update) => (update.type === 'record' ? update.record.seq : -1)))
      await expect.poll(newest).toBe(last.head)
      await updates.return?.()
      await reading
      for (const update of seen) {
        if (update.type !== 'state') continue
        const { state } = await gate.state('t', update.seq)
        expect(update.state).toEqual(state)
        states++
      }
    },
  )
  await fc.assert(property, { numRuns: timesInTier({ quick: 20, full: 400 }) })
  expect(states).toBeGreaterThan(20)
})

test('[E11] over a whole journey each side’s stream brings the states that its requests get', async ({
  annotate,
}) => {
  const broker = await testBroker()
  const journey = await Journey.start(broker)
  const thread = `${broker.url}/api/threads/${journey.sessionId}`
  const readers = SIDES.map((side) => {
    const headers = () => ({ authorization: `Bearer ${journey.tokens[side]}` })
    const updates = subscribe({ url: `${thread}/events`, state: true, headers })
    const seen: StatefulUpdate[] = []
    const reading = (async () => {
      for await (const update of updates) seen.push(update)
    })()
    return { side, seen, reading, updates }
  })
  await handOver(journey)
  await walk(journey)
  let compared = 0
  for (const { side, seen, reading, updates } of readers) {
    const stateAt = async (query: string) =>
      (await request(`${thread}/state${query}`, { token: journey.tokens[side] })).body
    const { state: wanted } = await stateAt('')
    const latest = () => seen.findLast((update) => update.type === 'state')?.state
    await expect.poll(latest).toEqual(wanted)
    await updates.return?.()
    await reading
    for (const update of seen) {
      if (update.type !== 'state') continue
      const { state } = await stateAt(`?at=${update.seq}`)
      expect(update.state, `${side} at ${update.seq}`).toEqual(state)
      compared++
    }
  }
  await annotate(`${compared} states of ${SIDES.length} roles compared`, 'promise')
  expect(compared).toBeGreaterThan(3 * 8)
})
