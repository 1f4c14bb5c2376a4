import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { z } from 'zod'
import { defineAgent, tool } from '../../agents/index.ts'
import type { Agent } from '../../agents/index.ts'
import { Builder, shapeOf } from '../../agents/any-tree.fixture.ts'
import type { Shape } from '../../agents/any-tree.fixture.ts'
import { calling, eventsOf, replies, withAgents } from '../../agents/runs.fixture.ts'
import { defineDomain, evolve } from '../../domain/index.ts'
import type { Domain } from '../../domain/index.ts'
import type { Json } from '../../json/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import type { View } from '../view.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'

/** A list of notes: enough of a state to have deltas. */
export interface Notes {
  readonly notes: readonly string[]
  readonly secret: string
}

const { event, domain: define } = defineDomain<Notes>()

export const notes: Domain<Notes> = define({
  name: 'notes',
  initial: { notes: [], secret: '' },
  events: {
    noted: event({
      schema: z.object({ text: z.string() }),
      by: [{ source: 'ui' }, { source: 'model' }, { source: 'remote' }],
      reduce: (state, { text }) => ({ ...state, notes: [...state.notes, text] }),
    }),
    hidden: event({
      schema: z.object({ text: z.string() }),
      by: [{ source: 'ui' }, { source: 'remote' }],
      reduce: (state, { text }) => ({ ...state, secret: text }),
    }),
  },
})

export type Reader = 'operator' | 'guest'

/** What a reader sees: the guest sees neither secrets nor how agents work. */
export function viewOf(log: EventLog, role: Reader, domain: Domain<Notes> = notes): View {
  const show = ({ notes: list, secret }: Notes): Json =>
    role === 'operator' ? { notes: [...list], secret } : { count: list.length, notes: [...list] }
  return {
    key: role,
    isUnfiltered: role === 'operator',
    isTraced: false,
    record: (record) => (role === 'operator' ? record : seenByGuest(record)),
    async state(thread, at = Number.POSITIVE_INFINITY) {
      let state = domain.initial
      let seq = -1
      for (const record of await recordsOf(log, thread)) {
        if (record.seq > at) break
        state = evolve(domain, state, record)
        seq = record.seq
      }
      return { seq, state: show(state) }
    },
    async follow(thread, at) {
      let state = domain.initial
      for (const record of await recordsOf(log, thread)) {
        if (record.seq <= at) state = evolve(domain, state, record)
      }
      return {
        get state() {
          return show(state)
        },
        take: (record) => (state = evolve(domain, state, record)),
      }
    },
  }
}

const GUEST_SEES = /^(TEXT_MESSAGE|RUN)_|^noted$/

function seenByGuest(record: LogRecord): LogRecord | undefined {
  if (!GUEST_SEES.test(record.type) || record.origin.depth > 0) return undefined
  const { source, run = '', depth } = record.origin
  return { ...record, origin: { source, run, depth }, prev: '', hash: '' }
}

/** A thread `t` after some turns of a random tree of agents, with questions answered or left open. */
export async function randomThread(
  shape: Shape,
  { agrees, stopsAt }: { readonly agrees: boolean; readonly stopsAt: number },
) {
  const built = withAgents<Notes>([new Builder().build(shape) as Agent<never> as Agent<Notes>], {
    domain: notes,
  })
  const { ask, resume, runs, gate, log } = built
  let count = 0
  let isStopped = false
  const propose = (type: 'noted' | 'hidden', text: string) => {
    const origin = { source: 'remote', depth: 0 } as const
    return gate.commit('t', [{ id: randomUUID(), type, data: { text }, origin }])
  }
  const played = async (turn: ReturnType<typeof ask>): Promise<void> => {
    for await (const { type } of turn) {
      if (type === 'event') continue
      if (count++ === stopsAt) isStopped = await runs.cancel('t')
      // Others write between the records of a turn.
      if (count % 5 === 0)
        await propose(
          count % 2 === 0 ? 'noted' : 'hidden',
          `${count % 2 === 0 ? 'note' : 'secret'} ${count}`,
        )
    }
  }
  let turn = ask('Go')
  for (let round = 0; round < 3; round++) {
    await played(turn)
    const result = await turn.result
    if (result.reason !== 'interrupt' || isStopped) break
    const values = result.waits.map(({ id }) => [id, { approved: agrees }] as const)
    turn = resume(result.run, Object.fromEntries(values))
  }
  await propose('noted', 'between turns')
  const next = ask('And now?')
  await eventsOf(next)
  await next.result
  return { ...built, records: await recordsOf(log, 't') }
}

export interface AnyThread {
  readonly shape: Shape
  readonly agrees: boolean
  readonly stopsAt: number
}

export const anyThread: fc.Arbitrary<AnyThread> = fc.record({
  shape: shapeOf(2),
  agrees: fc.boolean(),
  stopsAt: fc.nat(60),
})

/** An agent whose tool runs at the client. */
export function guide(): Agent<Notes> {
  const locate = tool({ inputSchema: z.object({ precise: z.boolean() }) })
  return defineAgent<Notes>({
    name: 'guide',
    model: replies(calling(['locate', { precise: true }]), 'You are there'),
    tools: { locate },
  })
}
