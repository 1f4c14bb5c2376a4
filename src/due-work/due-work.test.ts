import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { Gate } from '../gate/index.ts'
import { refusingLog } from '../log/refusing-log.fixture.ts'
import { desk, openDesk, settled, sha256 } from './due-work.fixture.ts'
import type { DeskRunner } from './due-work.fixture.ts'
import { EFFECTS_PER_TURN_MAX, EFFECT_THREADS_MAX, LOOK_RETRY_MS } from './index.ts'

const TURN = { origin: { source: 'system', depth: 0, run: 'r1' } } as const
const want = (key: string, effect = 'page') => ['want', { effect, key }] as const
const failing = (times: number, more: Partial<DeskRunner> = {}): DeskRunner => ({
  run: ({ key, attempt }) => {
    if (attempt <= times) throw new Error('no line')
    return { type: 'done', data: { effect: 'page', key } }
  },
  ...more,
})

test('[B021] effects are requested, run and recorded, one after the other', async () => {
  const { click, lane, trace, records, calls } = openDesk()
  for (const key of ['a', 'b']) await click(...want(key))
  await lane().run('t', TURN)
  expect(await trace()).toEqual(['requested page a', 'done a', 'requested page b', 'done b'])
  expect(calls).toEqual(['page a 1', 'page b 1'])
  const [, , asked, done] = await records()
  expect(asked?.origin.run).toBe('r1')
  expect(done?.origin).toMatchObject({ source: 'system', run: 'r1', cause: asked?.id })
})

test('one turn waits for no more than a named number of effects; the lane does the rest', async () => {
  const { click, lane, calls, state } = openDesk()
  for (let n = 0; n < 20; n++) await click(...want(`k${n}`))
  const running = lane()
  await running.run('t', TURN)
  expect(calls).toHaveLength(EFFECTS_PER_TURN_MAX)
  await settled()
  expect((await state()).done).toHaveLength(20)
  expect(calls).toHaveLength(20)
})

test('an effect that failed without a retry policy is tried once by each turn and each wake', async () => {
  const { click, lane, calls, trace, clock } = openDesk({ page: failing(3) })
  await click(...want('k'))
  const running = lane()
  await running.run('t', TURN)
  await settled()
  clock.advance(86_400_000)
  await settled()
  expect(calls).toEqual(['page k 1'])
  await running.run('t', TURN)
  running.wake('t')
  await settled()
  expect(calls).toHaveLength(3)
  await running.run('t', TURN)
  expect((await trace()).at(-1)).toBe('done k')
  expect(await running.nextDueAt('t')).toBeUndefined()
})

test('a turn leaves retries that have a time to the lane', async () => {
  const { click, lane, calls } = openDesk({
    page: failing(9, { retry: { attempts: 9, backoffMs: 1_000 } }),
  })
  await click(...want('k'))
  const running = lane()
  for (let n = 0; n < 3; n++) await running.run('t', TURN)
  await settled()
  expect(calls).toEqual(['page k 1'])
})

test('a turn awaits the effects that it may try, and no retry that has a time', async () => {
  const { click, lane, gate } = openDesk({
    page: failing(1, { retry: { attempts: 2, backoffMs: 1_000 } }),
  })
  const running = lane()
  const awaits = async () => running.awaits('t', await gate.snapshot('t'))
  expect(await awaits()).toBe(false)
  await click(...want('k'))
  expect(await awaits()).toBe(true)
  await running.run('t', TURN)
  expect(await awaits()).toBe(false)
})

test('[D16] an effect that is given up does not hold up those behind it', async () => {
  const { click, lane, trace } = openDesk({
    page: failing(9, { retry: { attempts: 1, backoffMs: 0 } }),
  })
  await click(...want('first'))
  await click(...want('second', 'mail'))
  const running = lane()
  for (let n = 0; n < 3; n++) await running.run('t', TURN)
  expect(await trace()).toEqual([
    'requested page first',
    'failed page first 1 failed final',
    'requested mail second',
    'done second',
  ])
  expect(await running.nextDueAt('t')).toBeUndefined()
})

test('[D16] two effects of one key run once each, and both are recorded', async () => {
  const { click, lane, trace, calls } = openDesk()
  await click(...want('incident'))
  await click(...want('incident', 'mail'))
  for (let n = 0; n < 3; n++) await lane().run('t', TURN)
  expect(calls).toEqual(['page incident 1', 'mail incident 1'])
  expect(await trace()).toEqual([
    'requested page incident',
    'done incident',
    'requested mail incident',
    'done incident',
  ])
})

test('an effect whose outcome leaves it due runs once, in any process', async () => {
  const { click, lane, calls } = openDesk({
    page: { run: ({ key }) => ({ type: 'stuck', data: { key } }) },
  })
  for (let n = 0; n < 300; n++) await click(...want(`k${n}`))
  for (let n = 0; n < 3; n++) {
    lane().wake('t')
    await settled()
  }
  expect(calls).toHaveLength(300)
  expect(await lane().nextDueAt('t')).toBeUndefined()
})

test('[D16] when the holding is lost, the work is aborted and nothing more is appended', async () => {
  const lost = new AbortController()
  let signal: AbortSignal | undefined
  const { click, lane, trace, faults, log } = openDesk({
    page: {
      run: (context) => {
        signal = context.signal
        return new Promise((_, reject) => {
          context.signal.addEventListener('abort', () => reject(new Error('aborted')))
        })
      },
    },
  })
  await click(...want('k'))
  const lease = await log.leases.acquire('t')
  const running = lane({
    holdings: {
      hold: async () => {
        if (lost.signal.aborted) throw Object.assign(new Error('elsewhere'), { code: 'busy' })
        const { signal } = lost
        return { fence: lease?.fence ?? 0, signal, onEnd: () => () => {}, done: () => {} }
      },
    },
  })
  const turn = running.run('t', TURN)
  await settled()
  lost.abort()
  await turn
  await settled()
  expect(signal?.aborted).toBe(true)
  expect([await trace(), faults]).toEqual([['requested page k'], []])
})

test('while another process holds a thread, it is looked at again later', async () => {
  const { click, lane, calls, clock, faults, log } = openDesk()
  await click(...want('k'))
  const other = await log.leases.acquire('t')
  lane().wake('t')
  await settled()
  expect(calls).toEqual([])
  await other?.release()
  clock.advance(LOOK_RETRY_MS)
  await settled()
  expect([calls, faults]).toEqual([['page k 1'], []])
})

test('the holding is let go after each pass, also after a fault', async () => {
  const { click, lane, log, gate, clock, faults } = openDesk()
  await click(...want('k'))
  lane().wake('t')
  await settled()
  const free = await log.leases.acquire('t')
  expect(free?.name).toBe('t')
  await free?.release()
  await click(...want('other'))
  const full = refusingLog(log, () => true)
  const refusing = new Gate({ log: full, domain: desk, now: clock.now, id: randomUUID, sha256 })
  await expect(lane({ gate: refusing }).run('t', TURN)).rejects.toThrow(/the disk has failed/)
  lane({ gate: refusing }).wake('t')
  await settled()
  expect(faults).toEqual([expect.objectContaining({ code: 'io' })])
  expect(await log.leases.acquire('t')).toBeDefined()
  expect((await gate.snapshot('t')).state.done).toEqual(['page k'])
})

test('effects of one thread run one after the other, threads side by side up to a named number', async () => {
  let most = 0
  const running = new Map<string, number>()
  const { click, lane, state } = openDesk({
    page: {
      run: async ({ key }) => {
        const [thread = ''] = key.split(':')
        running.set(thread, (running.get(thread) ?? 0) + 1)
        expect(running.get(thread)).toBe(1)
        most = Math.max(most, [...running.values()].filter((count) => count > 0).length)
        await settled()
        running.set(thread, 0)
        return { type: 'done', data: { effect: 'page', key } }
      },
    },
  })
  const threads = Array.from({ length: EFFECT_THREADS_MAX + 10 }, (_, n) => `t${n}`)
  const one = lane()
  for (const thread of threads) {
    for (const n of [0, 1]) await click(...want(`${thread}:${n}`), thread)
    one.wake(thread)
    one.wake(thread)
  }
  await expect
    .poll(async () => {
      const all = await Promise.all(threads.map(state))
      return all.every(({ done }) => done.length === 2)
    })
    .toBe(true)
  expect(most).toBe(EFFECT_THREADS_MAX)
})

test('a drain ends what runs, aborts it after its time, and records nothing of that', async () => {
  let signal: AbortSignal | undefined
  const { click, lane, clock, trace, faults } = openDesk({
    page: {
      run: (context) => {
        signal = context.signal
        return new Promise<never>(() => {})
      },
    },
  })
  await click(...want('k'))
  const running = lane()
  running.wake('t')
  await settled()
  const drained = running.drain(5_000)
  running.wake('t')
  await settled()
  expect(signal?.aborted).toBe(false)
  clock.advance(5_000)
  await drained
  expect(signal?.aborted).toBe(true)
  expect([await trace(), faults]).toEqual([['requested page k'], []])
  await lane().drain(5_000)
})
