import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineDomain } from '../domain/index.ts'
import { Gate } from '../gate/index.ts'
import type { EventLog, MemoryLog } from '../log/index.ts'
import { logWith } from '../log/log-with.fixture.ts'
import { openDesk, settled, sha256 } from './due-work.fixture.ts'
import { DueWorkLane } from './index.ts'
import { WAKE_TIMER_MAX_MS } from './wake-times.ts'

const NOW = 1_000_000
const QUIET_MS = 10_000
const { event, domain } = defineDomain<{ readonly clicks: number }>()
/** A door that is noted as quiet ten seconds after the last click, once for each silence. */
const door = domain({
  name: 'door',
  initial: { clicks: 0 },
  events: {
    click: event({
      schema: z.strictObject({}),
      by: [{ source: 'ui' }],
      reduce: ({ clicks }) => ({ clicks: clicks + 1 }),
    }),
    quiet: event({
      schema: z.strictObject({ since: z.number() }),
      by: [{ source: 'system' }],
      reduce: (state) => state,
    }),
  },
  deadlines: [
    {
      name: 'quiet',
      due: ({ clicks }, { activeAt: since }) =>
        clicks > 0 && {
          at: since + QUIET_MS,
          key: String(since),
          propose: { type: 'quiet', data: { since } },
        },
    },
  ],
})

function openDoor(over: (log: MemoryLog) => EventLog = (log) => log) {
  const { clock, log, holdings, faults, records } = openDesk()
  const parts = { domain: door, now: clock.now, id: randomUUID, sha256 }
  const gate = new Gate({ ...parts, log })
  const onFault = (error: unknown): void => void faults.push(error)
  const own = over(log)
  const lane = () =>
    new DueWorkLane({
      gate: new Gate({ ...parts, log: own }),
      log: own,
      runners: {},
      holdings,
      clock,
      onFault,
    })
  const click = () =>
    gate.commit('t', [
      { id: randomUUID(), type: 'click', data: {}, origin: { source: 'ui', depth: 0 } },
    ])
  const quietSince = async () =>
    (await records()).filter(({ type }) => type === 'quiet').map(({ data }) => data)
  return { clock, log, lane, click, quietSince, faults }
}

test('[D16] a deadline that counts from the last activity fires once for each silence, over restarts', async () => {
  const { clock, lane, click, quietSince } = openDoor()
  await click()
  const first = lane()
  first.wake('t')
  await settled()
  clock.advance(QUIET_MS - 1)
  await click()
  first.wake('t')
  await settled()
  clock.advance(QUIET_MS - 1)
  await settled()
  expect(await quietSince()).toEqual([])
  await first.drain(0)
  clock.advance(1)
  const second = lane()
  second.wakeAt('t', (await second.nextDueAt('t')) ?? 0)
  await settled()
  const since = NOW + QUIET_MS - 1
  expect(await quietSince()).toEqual([{ since }])
  const third = lane()
  third.wake('t')
  await settled()
  expect(await third.nextDueAt('t')).toBeUndefined()
  clock.advance(9e9)
  await click()
  const again = clock.now()
  third.wake('t')
  await settled()
  clock.advance(QUIET_MS)
  await settled()
  expect(await quietSince()).toEqual([{ since }, { since: again }])
})

test('a silence ends at its time on a clock that jumps, and is recorded once', async () => {
  const { clock, lane, click, quietSince } = openDoor()
  const one = lane()
  await click()
  one.wake('t')
  await settled()
  clock.jump(QUIET_MS)
  clock.advance(WAKE_TIMER_MAX_MS)
  await settled()
  expect(await quietSince()).toEqual([{ since: NOW }])
  clock.jump(-9e8)
  one.wake('t')
  await settled()
  clock.advance(9e8)
  await settled()
  expect(await quietSince()).toEqual([{ since: NOW }])
  clock.jump(-8e8)
  await click()
  const since = clock.now()
  one.wake('t')
  await settled()
  clock.advance(QUIET_MS)
  await settled()
  expect(await quietSince()).toEqual([{ since: NOW }, { since }])
})

/** A log that runs `work` after its lookup of that number. */
function afterLookup(log: MemoryLog, number: number, work: () => Promise<unknown>): EventLog {
  let lookups = 0
  return logWith(log, {
    async find(...asked) {
      const found = await log.find(...asked)
      if (++lookups === number) await work()
      return found
    },
  })
}

// The lane looks its id up before it takes the lease, then under the lease, then the gate does.
test.each([1, 2, 3])(
  '[D16] a deadline is not proposed when a click comes after lookup %i of its id',
  async (lookup) => {
    const { clock, lane, click, quietSince, faults } = openDoor((log) =>
      afterLookup(log, lookup, () => click()),
    )
    await click()
    const one = lane()
    clock.advance(QUIET_MS)
    one.wake('t')
    await settled()
    expect(await quietSince()).toEqual([])
    clock.advance(QUIET_MS)
    await settled()
    expect(await quietSince()).toEqual([{ since: NOW + QUIET_MS }])
    expect(faults).toEqual([])
  },
)

test('two processes record one silence once', async () => {
  const { clock, lane, click, quietSince } = openDoor()
  await click()
  for (const each of [lane(), lane(), lane()]) each.wake('t')
  await settled()
  clock.advance(QUIET_MS)
  await settled()
  expect(await quietSince()).toEqual([{ since: NOW }])
})
