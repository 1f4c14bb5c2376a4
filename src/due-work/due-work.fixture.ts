import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { customValue } from '../activity/index.ts'
import { defineDomain } from '../domain/index.ts'
import type { At, Due } from '../domain/index.ts'
import { Gate } from '../gate/index.ts'
import { membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { Holdings } from '../log/index.ts'
import type { LogRecord } from '../log/index.ts'
import { DueWorkLane, ManualClock } from './index.ts'
import type { EffectRunner, EffectRunners } from './effect-runner.ts'
import type { DueWorkParts } from './index.ts'
import { memoryLog, recordsOf } from '../../test/memory-log.fixture.ts'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The work that events of the thread asked for. */
export interface Desk {
  readonly work: readonly (Due & { readonly effect: string })[]
  readonly alarms: readonly { readonly at: number; readonly key: string; readonly as: string }[]
  readonly done: readonly string[]
  readonly rung: readonly string[]
}

const { event, domain } = defineDomain<Desk>()
const ui = [{ source: 'ui' }] as const
const system = [{ source: 'system' }] as const
const named = z.strictObject({ key: z.string() })
const workOf =
  (effect: string) =>
  ({ work }: Desk) =>
    work.filter((each) => each.effect === effect)

/**
 * A desk that asks for pages and mails, and rings alarms. `done` ends work; `stuck` ends none, so that its
 * effect stays due. An alarm rings by `rung`, or proposes an event that is always refused.
 */
export const desk = domain({
  name: 'desk',
  initial: { work: [], alarms: [], done: [], rung: [] },
  events: {
    want: event({
      schema: z.strictObject({ effect: z.string(), key: z.string() }),
      by: ui,
      reduce: (state, { effect, key }) => ({
        ...state,
        work: [...state.work, { effect, key, input: { n: state.work.length } }],
      }),
    }),
    drop: event({
      schema: named,
      by: ui,
      reduce: (state, { key }) => ({ ...state, work: state.work.filter((w) => w.key !== key) }),
    }),
    alarm: event({
      schema: z.strictObject({ at: z.number(), key: z.string(), as: z.string() }),
      by: ui,
      reduce: (state, alarm) => ({ ...state, alarms: [...state.alarms, alarm] }),
    }),
    done: event({
      schema: z.strictObject({ effect: z.string(), key: z.string() }),
      by: system,
      guard: (_state, { key }) =>
        key === 'refused' ? { refused: 'precondition', detail: 'not this one' } : undefined,
      reduce: (state, { effect, key }) => ({
        ...state,
        work: state.work.filter((each) => each.effect !== effect || each.key !== key),
        done: [...state.done, `${effect} ${key}`],
      }),
    }),
    stuck: event({ schema: named, by: system, reduce: (state) => state }),
    rung: event({
      schema: named,
      by: system,
      reduce: (state, { key }) => ({
        ...state,
        alarms: state.alarms.filter((each) => each.key !== key),
        rung: [...state.rung, key],
      }),
    }),
    never: event({
      schema: z.strictObject({}),
      by: system,
      guard: () => ({ refused: 'locked', detail: 'never' }),
      reduce: (state) => state,
    }),
  },
  effects: [
    { name: 'page', due: workOf('page') },
    { name: 'mail', due: workOf('mail') },
  ],
  deadlines: [
    {
      name: 'ring',
      due: ({ alarms }) =>
        alarms.map(({ at, key, as }): At<Proposed> => {
          const propose = { type: 'rung' as const, data: { key } }
          return { at, key, propose: as === 'rung' ? propose : { type: 'never', data: {} } }
        }),
    },
  ],
})

type Proposed =
  | { type: 'rung'; data: { key: string } }
  | { type: 'never'; data: object & Record<string, never> }

export type DeskRunner = EffectRunner<Desk>
export const answer = (effect: string): DeskRunner => ({
  run: ({ key }) => ({ type: 'done', data: { effect, key } }),
})

/** A desk over a log in memory; its lanes share their leases, as one process does. */
export function openDesk(runners: EffectRunners<Desk> = {}) {
  const clock = new ManualClock(1_000_000)
  const id: () => string = randomUUID
  const log = memoryLog({ now: clock.now })
  const gate = new Gate({ log, domain: desk, now: clock.now, id, sha256 })
  const holdings = new Holdings(log.leases)
  const faults: unknown[] = []
  const calls: string[] = []
  const counted = (effect: string, runner: DeskRunner): DeskRunner => ({
    ...runner,
    run: (context) => {
      calls.push(`${effect} ${context.key} ${context.attempt}`)
      return runner.run(context)
    },
  })
  const all = { page: answer('page'), mail: answer('mail'), ...runners }
  const lane = (more: Partial<DueWorkParts<Desk>> = {}) =>
    new DueWorkLane<Desk>({
      gate: new Gate({ log, domain: desk, now: clock.now, id, sha256 }),
      log,
      runners: Object.fromEntries(
        Object.entries(all).map(([name, runner]) => [name, counted(name, runner)]),
      ),
      holdings,
      clock,
      onFault: (error) => faults.push(error),
      ...more,
    })
  const click = async (type: string, data: Json, thread = 't') => {
    const origin = { source: 'ui', depth: 0 } as const
    await gate.commit(thread, [{ id: id(), type, data, origin }])
  }
  const records = (thread = 't') => recordsOf(log, thread)
  const trace = async (thread = 't') => (await records(thread)).flatMap(traceOf)
  const state = async (thread = 't') => (await gate.snapshot(thread)).state
  return { clock, log, gate, holdings, faults, calls, lane, click, records, trace, state }
}

function traceOf(record: LogRecord): readonly string[] {
  const { type, origin } = record
  const failed = customValue(record, 'effect_failed')
  const of = (name: string) => textOf(failed ?? record.data, name)
  if (failed !== undefined) {
    const { attempt, final } = membersOf(failed)
    const how = [String(attempt), of('code'), ...(final === true ? ['final'] : [])]
    return [['failed', of('effect'), of('key'), ...how].join(' ')]
  }
  if (type === 'effect_requested') return [`requested ${of('effect')} ${of('key')}`]
  if (type === 'event_refused') return [`refused ${of('type')}`]
  return origin.source === 'ui' ? [] : [`${type} ${of('key')}`]
}

/** Lets background work go on until nothing changes any more, without letting time pass. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}
