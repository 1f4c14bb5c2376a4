import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { Gate } from '../gate/index.ts'
import { logWithFault } from '../log/passing-fault.fixture.ts'
import { answer, desk, openDesk, settled, sha256 } from './due-work.fixture.ts'
import type { Desk, DeskRunner } from './due-work.fixture.ts'
import { DueWorkLane, EFFECT_ATTEMPTS_MAX, EFFECT_TIMEOUT_MS } from './index.ts'
import type { EffectRunner } from './effect-runner.ts'

const TURN = { origin: { source: 'system', depth: 0, run: 'r1' } } as const
const want = (key: string, effect = 'page') => ['want', { effect, key }] as const

test('a runner gets its thread and the state of the request, and reads the state of now', async () => {
  const seen: unknown[] = []
  const hasLooked = Promise.withResolvers<void>()
  const look: EffectRunner<Desk, { readonly n: number }> = {
    run: async ({ thread, state, input, requestedAt, now }) => {
      seen.push(thread, input.n, requestedAt, state.work.length, (await now()).work.length)
      if (seen.length <= 5) throw new Error('no line')
      hasLooked.resolve()
      return { type: 'done', data: { effect: 'page', key: 'k' } }
    },
  }
  // Effects run side by side: this one is open until the other has looked.
  const mail: DeskRunner = {
    run: async ({ key }) => {
      await hasLooked.promise
      return { type: 'done', data: { effect: 'mail', key } }
    },
  }
  const { click, lane, clock } = openDesk({ page: look, mail })
  await click(...want('k'))
  await lane().run('t', TURN)
  await click(...want('other', 'mail'))
  clock.advance(5_000)
  await lane().run('t', TURN)
  expect(seen).toEqual(['t', 0, 1_000_000, 1, 1, 't', 0, 1_000_000, 1, 2])
})

test('a runner that never returns is aborted after its time, and its later result is ignored', async () => {
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
  [
    'a proxy that says nothing',
    'failed',
    () => Promise.reject(new Proxy({}, { getPrototypeOf: lost, get: lost })),
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
])('a runner that throws %s is recorded as a failure (%s)', async (_, code, run) => {
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

test('[D16] a runner that answers twice, the second time with a fault, has one outcome', async () => {
  const once = { type: 'done', data: { effect: 'page', key: 'k' } }
  const twice = {
    // oxlint-disable-next-line unicorn/no-thenable -- a runner of other people may give one
    then(resolve: (given: object) => void, reject: (error: Error) => void) {
      resolve(once)
      resolve({ ...once, data: { effect: 'page', key: 'other' } })
      reject(new Error('late'))
      lost()
    },
  }
  const runner = { run: () => twice } as unknown as DeskRunner
  const { click, lane, trace, calls, faults } = openDesk({ page: runner })
  await click(...want('k'))
  await lane().run('t', TURN)
  await lane().run('t', TURN)
  expect([await trace(), calls, faults]).toEqual([['requested page k', 'done k'], ['page k 1'], []])
})

test('[D16] a runner whose outcome the gate refuses may still end with another outcome', async () => {
  const keys = ['refused', 'k']
  const { click, lane, trace } = openDesk({
    page: { run: () => ({ type: 'done', data: { effect: 'page', key: keys.shift() ?? '' } }) },
  })
  await click(...want('k'))
  await lane().run('t', TURN)
  await lane().run('t', TURN)
  expect(await trace()).toEqual(['requested page k', 'failed page k 1 refused', 'done k'])
})

test('a runner is refused with its name when it is missing, unknown or without sound limits', () => {
  const { gate, log, holdings } = openDesk()
  const page = answer('page')
  const open = (runners: object) => () =>
    new DueWorkLane({
      gate,
      log,
      runners: runners as { page: DeskRunner; mail: DeskRunner },
      holdings,
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

test('[D15] an effect that was done as the process ended, with no store to say so, is not recorded as failed', async () => {
  const opened = openDesk({ page: { ...answer('page'), retry: { attempts: 1, backoffMs: 0 } } })
  await opened.click(...want('k'))
  // The request is the first append, the outcome the second.
  const log = logWithFault(opened.log, { fault: 'full', from: 1, to: 2 })
  const gate = new Gate({ log, domain: desk, now: opened.clock.now, id: randomUUID, sha256 })
  gate.endRetries()
  await opened.lane({ gate, log }).run('t', TURN)
  expect(log.hits).toBe(1)
  await opened.lane().run('t', TURN)
  expect(await opened.trace()).toEqual(['requested page k', 'done k'])
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
