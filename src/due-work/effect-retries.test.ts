import { expect, test } from 'vitest'
import { customEvent } from '../activity/index.ts'
import { answer, openDesk, settled } from './due-work.fixture.ts'
import type { DeskRunner } from './due-work.fixture.ts'
import { EFFECT_ATTEMPTS_MAX } from './index.ts'

const TURN = { origin: { source: 'system', depth: 0, run: 'r1' } } as const
const want = (key: string, effect = 'page') => ['want', { effect, key }] as const
const failing = (times: number, more: Partial<DeskRunner> = {}): DeskRunner => ({
  run: ({ key, attempt }) => {
    if (attempt <= times) throw new Error('no line')
    return { type: 'done', data: { effect: 'page', key } }
  },
  ...more,
})

const retry = { attempts: 4, backoffMs: 1_000 }

test('[D16] retries come after backoff, then twice as long, and the last failure is final', async () => {
  const { click, lane, clock, trace, calls } = openDesk({ page: failing(9, { retry }) })
  await click(...want('k'))
  lane().wake('t')
  const counts: number[] = []
  for (const ms of [0, 999, 1, 1_999, 1, 3_999, 1, 9e9]) {
    clock.advance(ms)
    await settled()
    counts.push(calls.length)
  }
  expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 4])
  expect((await trace()).at(-1)).toBe('failed page k 4 failed final')
})

test('[D16] retries keep their time and their count over restarts', async () => {
  const { click, lane, clock, calls } = openDesk({ page: failing(2, { retry }) })
  await click(...want('k'))
  const [first, second, third] = [lane(), lane(), lane()]
  first.wake('t')
  await settled()
  await first.drain(0)
  expect(await second.nextDueAt('t')).toBe(clock.now() + 1_000)
  second.wake('t')
  clock.advance(999)
  await settled()
  await second.drain(0)
  expect(calls).toEqual(['page k 1'])
  clock.advance(1)
  third.wake('t')
  await settled()
  expect(calls).toEqual(['page k 1', 'page k 2'])
  // The failure is then in the future, so its retry does not wait for that day.
  clock.jump(-500_000)
  third.wake('t')
  await settled()
  expect(calls).toEqual(['page k 1', 'page k 2', 'page k 3'])
})

test('attempts without a policy end after a named number', async () => {
  const { click, lane, gate, trace } = openDesk({ page: failing(9_999) })
  await click(...want('k'))
  await lane().run('t', TURN)
  const value = { effect: 'page', key: 'k', message: '', attempt: EFFECT_ATTEMPTS_MAX - 1 }
  await gate.append('t', [customEvent('effect_failed', value, TURN.origin)])
  for (let n = 0; n < 3; n++) await lane().run('t', TURN)
  expect((await trace()).slice(-2)).toEqual([
    `failed page k ${EFFECT_ATTEMPTS_MAX - 1} `,
    `failed page k ${EFFECT_ATTEMPTS_MAX} failed final`,
  ])
})

test('[M7] [D16] an effect that was cut off runs again with its key and ends once', async () => {
  const never = Promise.withResolvers<never>()
  let cut = true
  const { click, lane, trace, calls, log } = openDesk({
    page: { run: (context) => (cut ? never.promise : answer('page').run(context)) },
  })
  await click(...want('k'))
  lane().wake('t')
  await settled()
  expect(await trace()).toEqual(['requested page k'])
  cut = false
  const [one, other] = [lane(), lane()]
  await Promise.all([one.run('t', TURN), other.run('t', TURN)])
  expect(await trace()).toEqual(['requested page k', 'done k'])
  expect(new Set(calls)).toEqual(new Set(['page k 1']))
  const head = await log.head('t')
  lane().wake('t')
  await settled()
  expect(await log.head('t')).toBe(head)
})
