import { describe, expect, test } from 'vitest'
import { customEvent } from '../activity/index.ts'
import { stableId } from '../gate/index.ts'
import { answer, held, openDesk, settled } from './due-work.fixture.ts'
import type { Desk, DeskRunner } from './due-work.fixture.ts'
import { DueWorkLane, EFFECTS_PER_TURN_MAX, EFFECT_ATTEMPTS_MAX } from './index.ts'
import { EFFECT_THREADS_MAX, EFFECT_TIMEOUT_MS, HELD_ELSEWHERE_RETRY_MS } from './index.ts'
import type { EffectRunner } from './index.ts'

const TURN = { origin: { source: 'system', depth: 0, run: 'r1' } } as const
const want = (key: string, effect = 'page') => ['want', { effect, key }] as const
const failing = (times: number, more: Partial<DeskRunner> = {}): DeskRunner => ({
  run: ({ key, attempt }) => {
    if (attempt <= times) throw new Error('no line')
    return { type: 'done', data: { effect: 'page', key } }
  },
  ...more,
})

describe('a turn', () => {
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

  test('a turn can tell whether it has effects to wait for', async () => {
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

  test('[trap 6] an effect that is given up does not hold up those behind it', async () => {
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

  test('[trap 5] two effects of one key run once each, and both are recorded', async () => {
    const { click, lane, trace, calls } = openDesk()
    await click(...want('incident'))
    await click(...want('incident', 'mail'))
    for (let n = 0; n < 3; n++) await lane().run('t', TURN)
    expect(calls).toEqual(['page incident 1', 'mail incident 1'])
    expect((await trace()).filter((each) => each === 'done incident')).toHaveLength(2)
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
})

describe('a runner', () => {
  test('gets the state of the request, and reads the state of now', async () => {
    const seen: unknown[] = []
    const look: EffectRunner<Desk, { readonly n: number }> = {
      run: async ({ state, input, requestedAt, now }) => {
        seen.push(input.n, requestedAt, state.work.length, (await now()).work.length)
        if (seen.length <= 4) throw new Error('no line')
        return { type: 'done', data: { effect: 'page', key: 'k' } }
      },
    }
    const { click, lane, clock } = openDesk({ page: look as unknown as DeskRunner })
    await click(...want('k'))
    await lane().run('t', TURN)
    await click(...want('other', 'mail'))
    clock.advance(5_000)
    await lane().run('t', TURN)
    expect(seen).toEqual([0, 1_000_000, 1, 1, 0, 1_000_000, 1, 2])
  })

  test('that never returns is aborted after its time, and what it gives later is ignored', async () => {
    const late = Promise.withResolvers<{ type: string; data: object }>()
    let signal: AbortSignal | undefined
    const { click, lane, clock, trace, faults } = openDesk({
      page: {
        run: (context) => {
          signal = context.signal
          return late.promise as Promise<never>
        },
        retry: { attempts: 2, backoffMs: 1_000 },
      },
    })
    await click(...want('k'))
    lane().wake('t')
    await settled()
    clock.advance(EFFECT_TIMEOUT_MS - 1)
    await settled()
    expect(signal?.aborted).toBe(false)
    clock.advance(1)
    await settled()
    expect(signal?.aborted).toBe(true)
    late.resolve({ type: 'done', data: { effect: 'page', key: 'k' } })
    await settled()
    expect(await trace()).toEqual(['requested page k', 'failed page k 1 timeout'])
    expect(faults).toEqual([])
  })

  const cyclic: { type: string; data: object } = { type: 'done', data: {} }
  cyclic.data = { effect: 'page', key: cyclic }
  test.each([
    ['a text', 'failed', () => Promise.reject('down')],
    ['undefined', 'failed', () => Promise.reject(undefined)],
    ['a value without a text', 'failed', () => Promise.reject(Object.create(null))],
    [
      'an error whose message throws',
      'failed',
      () => Promise.reject(Object.defineProperty(new Error(), 'message', { get: () => lost() })),
    ],
    ['half a character', 'failed', () => Promise.reject(new Error(`x\ud800${'y'.repeat(9_999)}`))],
    ['at once', 'failed', () => lost()],
    ['gives undefined', 'invalid_outcome', () => undefined],
    ['gives a text', 'invalid_outcome', () => 'done'],
    ['gives no data', 'invalid_outcome', () => ({ type: 'done' })],
    ['gives a type that is no text', 'invalid_outcome', () => ({ type: 7, data: {} })],
    ['gives an unknown type', 'refused', () => ({ type: 'nothing', data: {} })],
    ['gives a record of the library', 'refused', () => ({ type: 'RUN_FINISHED', data: {} })],
    ['gives data of another kind', 'refused', () => ({ type: 'done', data: 'much' })],
    ['gives data that is no JSON', 'refused', () => ({ type: 'done', data: { key: 1n } })],
    ['gives data that contains itself', 'refused', () => cyclic],
    ['gives data that throws', 'failed', () => ({ type: 'done', data: throwing() })],
  ])('that throws %s is recorded as a failure (%s)', async (_, code, run) => {
    const runner = { run, retry: { attempts: 1, backoffMs: 0 } } as unknown as DeskRunner
    const { click, lane, trace, faults } = openDesk({ page: runner })
    await click(...want('k'))
    await click(...want('next', 'mail'))
    await lane().run('t', TURN)
    expect(await trace()).toEqual([
      'requested page k',
      expect.stringMatching(new RegExp(`^failed page k 1 (${code}|failed) final$`)),
      'requested mail next',
      'done next',
    ])
    expect(faults).toEqual([])
  })

  test('whose outcome the gate refuses may still end with another outcome', async () => {
    const keys = ['refused', 'k']
    const { click, lane, trace } = openDesk({
      page: { run: () => ({ type: 'done', data: { effect: 'page', key: keys.shift() ?? '' } }) },
    })
    await click(...want('k'))
    await lane().run('t', TURN)
    await lane().run('t', TURN)
    expect(await trace()).toEqual(['requested page k', 'failed page k 1 refused', 'done k'])
  })

  test('is refused with its name when it is missing, unknown or without sound limits', () => {
    const { gate, log } = openDesk()
    const page = answer('page')
    const open = (runners: object) => () =>
      new DueWorkLane({
        gate,
        log,
        runners: runners as { page: DeskRunner; mail: DeskRunner },
        hold: async () => held(),
        onFault: () => {},
      })
    const wrong = (more: object) => open({ page: { ...page, ...more }, mail: page })
    expect(open({ page })).toThrow(/effect "mail" has no runner/)
    expect(open({ page, mail: page, fax: page })).toThrow(/runner "fax" names no effect/)
    for (const timeoutMs of [0, -1, Number.NaN, 2 ** 31]) {
      expect(wrong({ timeoutMs })).toThrow(/"page" has the timeoutMs/)
    }
    for (const attempts of [0, 1.5, Number.NaN, EFFECT_ATTEMPTS_MAX + 1]) {
      expect(wrong({ retry: { attempts, backoffMs: 1 } })).toThrow(/attempts; give a whole number/)
    }
    for (const backoffMs of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(wrong({ retry: { attempts: 2, backoffMs } })).toThrow(/the backoffMs/)
    }
    expect(wrong({ run: undefined })).toThrow(/has no `run`/)
  })
})

describe('retries', () => {
  const retry = { attempts: 4, backoffMs: 1_000 }

  test('come after backoff, then twice as long, and the last failure is final', async () => {
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

  test('keep their time and their count over restarts', async () => {
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

  test('without a policy end after a named number', async () => {
    const { click, lane, gate, trace } = openDesk({ page: failing(9_999) })
    await click(...want('k'))
    await lane().run('t', TURN)
    const value = { effect: 'page', key: 'k', message: '', attempt: EFFECT_ATTEMPTS_MAX - 1 }
    await gate.append('t', [customEvent('effect_failed', value, TURN.origin)])
    for (let n = 0; n < 3; n++) await lane().run('t', TURN)
    expect((await trace()).slice(-2)).toEqual([
      `failed page k ${EFFECT_ATTEMPTS_MAX - 1} undefined`,
      `failed page k ${EFFECT_ATTEMPTS_MAX} failed final`,
    ])
  })
})

describe('after a crash', () => {
  test('[M7] an effect that was cut off runs again with its key and ends once', async () => {
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

  test('an effect that an older build requested or ended keeps its records', async () => {
    const { click, lane, gate, trace, calls, records } = openDesk()
    for (const key of ['asked', 'ended']) {
      await click(...want(key))
      await click(...want(key, 'mail'))
      const id = stableId('t', key, 'requested')
      const data = { effect: 'page', key, n: 0 }
      await gate.append('t', [{ id, type: 'effect_requested', data, origin: TURN.origin }])
    }
    const id = stableId('t', 'ended', 'ended')
    await gate.commit('t', [{ id, type: 'stuck', data: { key: 'ended' }, origin: TURN.origin }])
    const before = (await records()).length
    expect(await lane().nextDueAt('t')).toBe(0)
    await lane().run('t', TURN)
    expect(calls.toSorted()).toEqual(['mail asked 1', 'mail ended 1', 'page asked 1'])
    expect((await trace()).filter((each) => each.startsWith('requested page'))).toHaveLength(2)
    expect((await records()).length - before).toBe(5)
    expect(await lane().nextDueAt('t')).toBeUndefined()
  })
})

describe('the holding', () => {
  test('when it is lost, the work is aborted and nothing more is appended', async () => {
    const lost = new AbortController()
    let signal: AbortSignal | undefined
    const { click, lane, trace, faults } = openDesk({
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
    const running = lane({
      hold: async () => {
        if (lost.signal.aborted) throw Object.assign(new Error('elsewhere'), { code: 'busy' })
        return held(lost)
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

  test('while another process has it, the thread is looked at again later', async () => {
    let isBusy = true
    const { click, lane, calls, clock, faults } = openDesk()
    await click(...want('k'))
    const running = lane({
      hold: async () => {
        if (isBusy) throw Object.assign(new Error('elsewhere'), { code: 'busy' })
        return held()
      },
    })
    running.wake('t')
    await settled()
    isBusy = false
    clock.advance(HELD_ELSEWHERE_RETRY_MS)
    await settled()
    expect([calls, faults]).toEqual([['page k 1'], []])
  })

  test('it is let go after each pass, also after a fault', async () => {
    let holds = 0
    const { click, lane, log, faults } = openDesk()
    await click(...want('k'))
    const counting = async () => {
      holds++
      return { ...held(), done: () => void holds-- }
    }
    lane({ hold: counting }).wake('t')
    await settled()
    await click(...want('other'))
    await log.close()
    await expect(lane({ hold: counting }).run('t', TURN)).rejects.toThrow(/closed/)
    lane({ hold: counting }).wake('t')
    await settled()
    expect(holds).toBe(0)
    expect(faults).toEqual([expect.objectContaining({ code: 'closed' })])
  })
})

describe('many threads', () => {
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
})

function lost(): never {
  throw new Error('lost')
}

function throwing(): object {
  return {
    effect: 'page',
    get key(): string {
      return lost()
    },
  }
}
