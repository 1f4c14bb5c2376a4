import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOf } from '../json/index.ts'
import { LogError } from '../log/index.ts'
import type { Lease, LogRecord } from '../log/index.ts'
import { stableId } from '../gate/index.ts'
import { openDesk, settled } from './due-work.fixture.ts'
import type { DeskRunner } from './due-work.fixture.ts'

const RETRY = { attempts: 3, backoffMs: 1_000 }
const KEYS = ['a', 'b', 'c', 'refused']
const EFFECTS = ['page', 'mail']
/** One after the other, every attempt of every effect may take a round of its own. */
const ROUNDS = EFFECTS.length * KEYS.length * RETRY.attempts
const TURN = { origin: { source: 'system', depth: 0, run: 'r' } } as const

type Act =
  | { readonly act: 'want'; readonly effect: 'page' | 'mail'; readonly key: string }
  | { readonly act: 'alarm'; readonly key: string; readonly in: number; readonly as: string }
  | { readonly act: 'drop'; readonly key: string }
  | { readonly act: 'wake' | 'turn' | 'crash' | 'twin' | 'rest' }
  | { readonly act: 'pass' | 'jump'; readonly ms: number }

const key = fc.constantFrom(...KEYS)
const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        act: fc.constant('want'),
        effect: fc.constantFrom('page', 'mail'),
        key,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        act: fc.constant('alarm'),
        key,
        in: fc.integer({ min: -5_000, max: 20_000 }),
        as: fc.constantFrom('rung', 'never'),
      }),
    },
    fc.record({ act: fc.constant('drop'), key }),
    {
      weight: 6,
      arbitrary: fc.record({ act: fc.constantFrom('wake', 'turn', 'crash', 'twin', 'rest') }),
    },
    fc.record({ act: fc.constant('pass'), ms: fc.integer({ min: 0, max: 10_000 }) }),
    fc.record({ act: fc.constant('jump'), ms: fc.integer({ min: -30_000, max: 30_000 }) }),
  ) as fc.Arbitrary<Act>,
  { minLength: 5, maxLength: 30 },
)

/** How each attempt ends, in the order in which the runners make them. */
const fates = fc.array(fc.constantFrom('ends', 'fails', 'hangs', 'ends late', 'garbage', 'stuck'), {
  minLength: 1,
  maxLength: 12,
})

function fatedRunner(effect: string, next: () => string): DeskRunner {
  return {
    retry: RETRY,
    timeoutMs: 5_000,
    run: async ({ key: of }) => {
      const fate = next()
      if (fate === 'fails') throw new Error('down')
      if (fate === 'hangs') return new Promise<never>(() => {})
      if (fate === 'garbage') return undefined as never
      if (fate === 'ends late') await settled()
      if (fate === 'stuck') return { type: 'stuck', data: { key: of } }
      return { type: 'done', data: { effect, key: of } }
    },
  }
}

/** Consecutive processes over one log: a crash loses everything outside the log. */
function world(planned: readonly string[]) {
  let at = 0
  const next = () => planned[at++ % planned.length] ?? 'ends'
  const desk = openDesk({ page: fatedRunner('page', next), mail: fatedRunner('mail', next) })
  const start = () => {
    const lost = new AbortController()
    let lease: Lease | undefined
    let isGone = false
    const hold = async () => {
      if (!lease && !isGone) {
        const acquired = await desk.log.leases.acquire('t')
        lease ??= acquired
        if (isGone) await acquired?.release()
      }
      if (!lease) throw new LogError('busy', 'Cannot hold "t": another process does')
      return { fence: lease.fence, signal: lost.signal, onEnd: () => () => {}, done: () => {} }
    }
    const leave = () => {
      isGone = true
      void lease?.release()
    }
    return { lost, lane: desk.lane({ holdings: { hold } }), leave }
  }
  let running = start()
  return {
    ...desk,
    /** Retries on a version conflict, as a page does. */
    click: async (...event: Parameters<typeof desk.click>): Promise<void> => {
      for (;;) {
        try {
          return await desk.click(...event)
        } catch (error) {
          if (!(error instanceof LogError && error.code === 'busy')) throw error
          await settled()
        }
      }
    },
    lane: () => running.lane,
    crash: () => {
      running.leave()
      running.lost.abort()
      void running.lane.drain(0)
      running = start()
    },
    /** The lease goes to another process, and the one that had it does not notice. */
    twin: () => {
      running.leave()
      running = start()
    },
  }
}

async function act(of: ReturnType<typeof world>, each: Act): Promise<void> {
  switch (each.act) {
    case 'want':
      await of.click('want', { effect: each.effect, key: each.key })
      return of.lane().wake('t')
    case 'alarm':
      await of.click('alarm', { at: of.clock.now() + each.in, key: each.key, as: each.as })
      return of.lane().wake('t')
    case 'drop':
      return of.click('drop', { key: each.key })
    case 'wake':
      return of.lane().wake('t')
    case 'turn':
      // A turn of a process that lost its lease fails.
      void of
        .lane()
        .run('t', TURN)
        .catch(() => {})
      return
    case 'crash':
      of.crash()
      return of.lane().wake('t')
    case 'twin':
      of.twin()
      return of.lane().wake('t')
    case 'rest':
      return settled()
    case 'pass':
      return of.clock.advance(each.ms)
    case 'jump':
      return of.clock.jump(each.ms)
  }
}

/** The record that ended an effect: its outcome, or its final failure. */
function endings(records: readonly LogRecord[], effect: string, of: string): number {
  const asked = records.filter(
    ({ type, data }) =>
      type === 'effect_requested' &&
      textOf(data, 'effect') === effect &&
      textOf(data, 'key') === of,
  )
  expect(asked.length).toBeLessThanOrEqual(1)
  const [request] = asked
  return records.filter(
    ({ type, origin, data }) =>
      request !== undefined &&
      origin.cause === request.id &&
      (type !== 'CUSTOM' || JSON.stringify(data).includes('"final":true')),
  ).length
}

test('[D16] however crashes, wakes and clocks fall, each effect ends once and each deadline fires once', async ({
  annotate,
}) => {
  let keys = 0
  await fc.assert(
    fc.asyncProperty(acts, fates, async (script, planned) => {
      const of = world(planned)
      for (const each of script) await act(of, each)
      for (let n = 0; n < ROUNDS; n++) {
        of.lane().wake('t')
        await settled()
        of.clock.advance(10_000)
        await settled()
      }
      const records = await of.records()
      for (const effect of EFFECTS) {
        for (const each of KEYS) expect(endings(records, effect, each)).toBeLessThanOrEqual(1)
      }
      const fired = new Set(KEYS.map((each) => stableId('t', 'ring', each, 'deadline')))
      const rings = records.filter(({ id }) => fired.has(id))
      const proposed = records.filter(
        ({ type, origin }) =>
          origin.source === 'system' && (type === 'rung' || type === 'event_refused'),
      )
      expect(proposed).toEqual(rings)
      // All that is due has ended: nothing is open, and nothing more happens.
      expect(await of.lane().nextDueAt('t')).toBeUndefined()
      const due = (await of.state()).work
      for (const { effect, key: each } of due) expect(endings(records, effect, each)).toBe(1)
      expect(of.faults).toEqual([])
      keys += rings.length + records.filter(({ type }) => type === 'effect_requested').length
      await of.lane().drain(0)
    }),
    { numRuns: 150 },
  )
  await annotate(
    `${keys} effects and deadlines in 150 histories: 0 with two outcomes, 0 without one`,
    'promise',
  )
})
