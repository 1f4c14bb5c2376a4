import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { defineDomain } from '../domain/index.ts'
import { Gate, stableId } from '../gate/index.ts'
import { refusingLog } from '../log/refusing-log.fixture.ts'
import { desk, openDesk, settled, sha256 } from './due-work.fixture.ts'
import { DueWorkLane, LOOK_RETRY_MS } from './index.ts'
import { WAKE_TIMER_MAX_MS } from './wake-times.ts'
import { recordsOf } from '../../test/memory-log.fixture.ts'

const NOW = 1_000_000
const YEAR_MS = 365.25 * 86_400_000
const alarm = (key: string, at: number, as = 'rung') => ['alarm', { at, key, as }] as const

test('a deadline proposes its event as system when its time has come, once', async () => {
  const { click, lane, clock, records, trace } = openDesk()
  const one = lane()
  await click(...alarm('k', NOW + 5_000))
  one.wake('t')
  await settled()
  expect(await one.nextDueAt('t')).toBe(NOW + 5_000)
  clock.advance(4_999)
  await settled()
  expect(await trace()).toEqual([])
  clock.advance(1)
  await settled()
  const [, rung] = await records()
  expect(rung).toMatchObject({
    type: 'rung',
    id: stableId('t', 'ring', 'k', 'deadline'),
    ts: NOW + 5_000,
    origin: { source: 'system', depth: 0 },
  })
  clock.advance(9e9)
  one.wake('t')
  await settled()
  expect(await trace()).toEqual(['rung k'])
  expect(await one.nextDueAt('t')).toBeUndefined()
})

test('[D16] a past deadline fires at once, and one in 300 years then', async () => {
  const { click, lane, clock, state } = openDesk()
  await click(...alarm('past', -5))
  await click(...alarm('far', NOW + 300 * YEAR_MS))
  const one = lane()
  one.wake('t')
  await settled()
  expect((await state()).rung).toEqual(['past'])
  expect(await one.nextDueAt('t')).toBe(NOW + 300 * YEAR_MS)
  clock.jump(300 * YEAR_MS - 86_400_000)
  clock.advance(86_400_000 - 1)
  await settled()
  expect((await state()).rung).toEqual(['past'])
  clock.advance(1)
  await settled()
  expect((await state()).rung).toEqual(['past', 'far'])
})

test('a thousand deadlines of one moment all fire, in one thread and over many', async () => {
  const { click, lane, clock, state, log } = openDesk()
  const one = lane()
  const threads = Array.from({ length: 100 }, (_, n) => `t${n}`)
  for (let n = 0; n < 1_000; n++) await click(...alarm(`k${n}`, NOW + 7), 't')
  for (const thread of threads) {
    for (let n = 0; n < 10; n++) await click(...alarm(`k${n}`, NOW + 7), thread)
  }
  for (const thread of ['t', ...threads]) one.wake(thread)
  await settled()
  clock.advance(7)
  await expect.poll(async () => (await state()).rung.length).toBe(1_000)
  for (const thread of threads) {
    await expect.poll(async () => (await state(thread)).rung.length).toBe(10)
  }
  expect(await log.head('t')).toBe(1_999)
})

test('deadlines of one moment are listed once, and `due` is called again for each', async () => {
  const { click, lane, clock, state, log } = openDesk()
  const count = 300
  for (let n = 0; n < count; n++) await click(...alarm(`k${n}`, NOW + 7))
  let asked = 0
  const deadlines = desk.deadlines.map((each) => ({
    ...each,
    due: (...given: Parameters<typeof each.due>) => {
      asked++
      return each.due(...given)
    },
  }))
  const domain = { ...desk, deadlines }
  const gate = new Gate({ log, domain, now: clock.now, id: randomUUID, sha256 })
  lane({ gate }).wake('t')
  await settled()
  clock.advance(7)
  await expect.poll(async () => (await state()).rung.length).toBe(count)
  await settled()
  expect(asked).toBeLessThan(count + 10)
})

test('a deadline that the gate refuses is recorded once and does not hold up the others', async () => {
  const { click, lane, clock, trace, log } = openDesk()
  for (let n = 0; n < 3; n++) await click(...alarm(`bad${n}`, n, 'never'))
  await click(...alarm('good', NOW + 10))
  lane().wake('t')
  await settled()
  expect(await trace()).toEqual(Array(3).fill('refused never'))
  clock.advance(10)
  await settled()
  const again = lane()
  again.wake('t')
  await settled()
  expect(await trace()).toEqual([...Array(3).fill('refused never'), 'rung good'])
  expect(await again.nextDueAt('t')).toBeUndefined()
  expect(await log.head('t')).toBe(7)
})

test('a clock that jumps back or forward fires each deadline once and loses none', async () => {
  const { click, lane, clock, state } = openDesk()
  const one = lane()
  await click(...alarm('k', NOW + 10_000))
  await click(...alarm('later', NOW + 50_000_000))
  one.wake('t')
  await settled()
  clock.jump(-500_000)
  clock.advance(10_000)
  await settled()
  expect((await state()).rung).toEqual([])
  clock.advance(500_000)
  await settled()
  expect((await state()).rung).toEqual(['k'])
  clock.jump(-900_000)
  one.wake('t')
  await settled()
  clock.advance(900_000)
  await settled()
  expect((await state()).rung).toEqual(['k'])
  clock.jump(50_000_000)
  clock.advance(WAKE_TIMER_MAX_MS)
  await settled()
  expect((await state()).rung).toEqual(['k', 'later'])
})

test('[D16] deadlines survive restarts, whether their time comes before, between or after', async () => {
  const { click, lane, clock, state } = openDesk()
  for (const at of [1, 2, 3]) await click(...alarm(`k${at}`, NOW + at * 1_000))
  const first = lane()
  first.wake('t')
  clock.advance(1_000)
  await settled()
  await first.drain(0)
  clock.advance(1_000)
  await settled()
  expect((await state()).rung).toEqual(['k1'])
  const second = lane()
  second.wakeAt('t', (await second.nextDueAt('t')) ?? 0)
  await settled()
  expect((await state()).rung).toEqual(['k1', 'k2'])
  await second.drain(0)
  const third = lane()
  third.wakeAt('t', (await third.nextDueAt('t')) ?? 0)
  await settled()
  clock.advance(1_000)
  await settled()
  expect((await state()).rung).toEqual(['k1', 'k2', 'k3'])
})

test('a deadline that meets a full disk fires when there is room again', async () => {
  const { click, lane, clock, log, state, faults } = openDesk()
  await click(...alarm('k', NOW + 5))
  let isFull = true
  const full = refusingLog(log, () => isFull, 'storage_full')
  const gate = new Gate({ log: full, domain: desk, now: clock.now, id: randomUUID, sha256 })
  lane({ gate, log: full }).wake('t')
  await settled()
  clock.advance(5)
  await settled()
  expect(faults).toEqual([expect.objectContaining({ code: 'storage_full' })])
  isFull = false
  clock.advance(LOOK_RETRY_MS)
  await settled()
  expect((await state()).rung).toEqual(['k'])
})

test('two processes that fire the same deadline record it once', async () => {
  const { click, lane, clock, trace } = openDesk()
  await click(...alarm('k', NOW + 5))
  await click(...alarm('refused', NOW + 5, 'never'))
  for (const each of [lane(), lane(), lane()]) each.wake('t')
  await settled()
  clock.advance(5)
  await settled()
  expect((await trace()).toSorted()).toEqual(['refused never', 'rung k'])
})

test('a deadline fires while an effect of its thread is at work', async () => {
  const { click, lane, clock, trace } = openDesk({ page: { run: () => new Promise(() => {}) } })
  await click('want', { effect: 'page', key: 'slow' })
  await click(...alarm('k', NOW + 5))
  lane().wake('t')
  await settled()
  clock.advance(5)
  await settled()
  expect(await trace()).toEqual(['requested page slow', 'rung k'])
})

test('an event that cannot be decided is reported, one that no log can hold is refused, and the deadlines behind them fire', async () => {
  interface Bell {
    readonly rung: boolean
  }
  const { event, domain } = defineDomain<Bell>()
  const { log, clock, holdings } = openDesk()
  const propose = { type: 'rung' as const, data: {} }
  const proposing = (data: object) => ({
    type: 'rung' as const,
    data: data as Record<string, never>,
  })
  const bell = domain({
    name: 'bell',
    initial: { rung: false },
    events: {
      rung: event({
        schema: { '~standard': { version: 1, vendor: 'none', validate: (value) => ({ value }) } },
        by: [{ source: 'system' }],
        guard: (_state, data) => {
          if ('fails' in Object(data)) throw new Error('Broken')
          return undefined
        },
        reduce: () => ({ rung: true }),
      }),
    },
    deadlines: [
      {
        name: 'ring',
        due: ({ rung }) => [
          { at: 0, key: 'broken', propose: proposing({ fails: true }) },
          { at: 0, key: 'unfit', propose: proposing({ n: 1n }) },
          !rung ? { at: 1, key: 'sound', propose } : { at: 9e15, key: 'far', propose },
        ],
      },
    ],
  })
  const faults: unknown[] = []
  const gate = new Gate({
    log,
    domain: bell,
    now: clock.now,
    id: randomUUID,
    sha256,
  })
  const lane = new DueWorkLane({
    gate,
    log,
    runners: {},
    holdings,
    clock,
    onFault: (error) => faults.push(error),
  })
  lane.wake('t')
  await settled()
  lane.wake('t')
  await settled()
  expect((await gate.snapshot('t')).state.rung).toBe(true)
  expect(faults).toMatchObject([{ message: 'Broken' }])
  const types = (await recordsOf(log)).map((record) => record.type)
  expect(types).toEqual(['event_refused', 'rung'])
})

test('a domain without effects and deadlines costs no look', async () => {
  const { domain } = defineDomain<object>()
  const { log, clock } = openDesk()
  const empty = domain({ name: 'empty', initial: {}, events: {} })
  const gate = new Gate({ log, domain: empty, now: clock.now, id: () => '', sha256 })
  let looks = 0
  const hold = async (): Promise<never> => {
    looks++
    throw new Error('held')
  }
  const lane = new DueWorkLane({
    gate,
    log,
    runners: {},
    holdings: { hold },
    clock,
    onFault: () => looks++,
  })
  await log.close()
  lane.wake('t')
  await settled()
  expect(looks).toBe(0)
})
