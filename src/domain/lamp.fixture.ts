import { z } from 'zod'
import { defineDomain } from './index.ts'
import type { Proposal } from './index.ts'

export interface Lamp {
  readonly lit: boolean
  readonly watts: number
  readonly broken: boolean
  readonly reported: boolean
  readonly replaced: boolean
}

const { event, domain } = defineDomain<Lamp>()
const person = { source: 'ui', surface: 'wall' } as const

/** A domain small enough to see through: a lamp that breaks when it is turned up too far. */
export const lamp = domain({
  name: 'lamp',
  initial: { lit: false, watts: 0, broken: false, reported: false, replaced: false },
  events: {
    switch_on: event({
      schema: z.strictObject({ watts: z.int().min(1).max(100) }),
      by: [person, { source: 'model', when: (_state, data, at) => at.typed && data.watts <= 40 }],
      guard: (state) =>
        state.broken ? { refused: 'locked', detail: 'the lamp is broken' } : undefined,
      complete: ({ watts }, state) => ({ watts, from: state.watts }),
      reduce: (state, { watts }) => ({ ...state, lit: true, watts, broken: watts > 60 }),
      version: 2,
      upcasts: [(data) => ({ watts: Number(data), from: 0 })],
    }),
    report: event({
      schema: z.strictObject({}),
      by: [{ source: 'rule' }],
      reduce: (state) => ({ ...state, reported: true }),
    }),
    replace: event({
      schema: z.strictObject({}),
      by: [{ source: 'rule' }],
      guard: (state) =>
        state.reported ? undefined : { refused: 'precondition', detail: 'nobody reported it' },
      reduce: (state) => ({ ...state, replaced: true }),
    }),
  },
  rules: [
    {
      name: 'R1',
      causedBy: ({ type }) => type === 'switch_on',
      propose: ({ broken, reported }) =>
        broken && !reported ? [{ type: 'report', data: {} }] : [],
    },
    {
      name: 'R2',
      submits: true,
      propose: ({ reported, replaced }) =>
        reported && !replaced ? [{ type: 'replace', data: {} }] : [],
    },
  ],
})

/** A person at the wall switches the lamp on. */
export function switchOn(watts: unknown, more: Partial<Proposal> = {}): Proposal {
  const origin = { ...person, depth: 0 }
  return { id: 'proposal', type: 'switch_on', data: { watts }, origin, ...more }
}
