import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import { defineDomain } from './index.ts'
import type { Domain, EventEntries, EventName, EventsOf, ProposalOf } from './index.ts'

const { event, domain } = defineDomain<{ readonly n: number }>()
const schema = z.object({ by: z.number() })

event({
  schema,
  by: [{ source: 'ui', when: (_state, data) => data.by > 0 }],
  guard: (state, data) => {
    expectTypeOf(state).toEqualTypeOf<{ readonly n: number }>()
    expectTypeOf(data).toEqualTypeOf<{ by: number }>()
    return undefined
  },
  reduce: (state, data) => ({ n: state.n + data.by }),
})

event({
  schema,
  by: [],
  complete: (data) => ({ ...data, from: 'server' }),
  reduce: (state, data) => {
    expectTypeOf(data.from).toEqualTypeOf<string>()
    return state
  },
})

// @ts-expect-error an entry without a reducer is not complete
event({ schema, by: [] })

// @ts-expect-error a source that does not exist may not propose
event({ schema, by: [{ source: 'oracle' }], reduce: (state) => state })

// @ts-expect-error a reducer gives the state's type
event({ schema, by: [], reduce: () => ({ n: 'many' }) })

// A domain carries its event types, and goes wherever any domain of its state goes.
const counted = event({ schema, by: [{ source: 'ui' }], reduce: (state) => state })
const reset = event({ schema: z.object({}), by: [{ source: 'rule' }], reduce: (state) => state })
const parts = { name: 'counter', initial: { n: 0 }, events: { counted, reset } }
const counter = domain(parts)
type Counter = typeof counter
expectTypeOf<EventName<Counter>>().toEqualTypeOf<'counted' | 'reset'>()
expectTypeOf<ProposalOf<EventsOf<Counter>>>().toEqualTypeOf<
  | { readonly type: 'counted'; readonly data: { by: number } }
  | { readonly type: 'reset'; readonly data: Record<string, never> }
>()
expectTypeOf(counter).toExtend<Domain<{ readonly n: number }>>()
expectTypeOf<EventName<Domain<{ readonly n: number }>>>().toEqualTypeOf<string>()
// @ts-expect-error a domain of another state is another domain
const other: Domain<{ readonly m: number }> = counter
void other

const annotated: Domain<{ readonly n: number }> = domain({
  ...parts,
  rules: [{ name: 'R1', propose: ({ n }) => (n > 9 ? [{ type: 'reset', data: {} }] : []) }],
})
void annotated
// @ts-expect-error a rule proposes no event that the domain lacks
domain({ ...parts, rules: [{ name: 'R1', propose: () => [{ type: 'rest', data: {} }] }] })
domain({
  ...parts,
  // @ts-expect-error a rule's data has the types of its event's schema
  rules: [{ name: 'R1', propose: ({ n }) => [{ type: 'counted', data: { by: `${n}` } }] }],
})

// What an interface describes is data and input as it is.
interface Step {
  readonly by: number
}
declare const step: Step
domain({
  ...parts,
  rules: [{ name: 'R1', propose: () => [{ type: 'counted', data: step }] }],
  effects: [
    { name: 'count', due: ({ n }) => n > 9 && { key: 'k', input: step } },
    { name: 'tell', due: () => [{ key: 'k', input: { step, steps: [step] } }] },
  ],
  deadlines: [
    { name: 'late', due: () => ({ at: 1, key: 'k', propose: { type: 'counted', data: step } }) },
  ],
})
// @ts-expect-error an effect's input has members, which an array has not
domain({ ...parts, effects: [{ name: 'e', due: () => ({ key: 'k', input: [step] }) }] })
// @ts-expect-error an effect's input is JSON, which has no dates
domain({ ...parts, effects: [{ name: 'e', due: () => ({ key: 'k', input: { at: {} as Date } }) }] })

/** A domain whose event types are a parameter is a domain of its state too. */
export function anyOf<State, Events extends EventEntries<State>>(
  one: Domain<State, Events>,
): Domain<State> {
  return one
}

// A state is JSON: it goes over the wire and into snapshots.
// @ts-expect-error JSON has no dates
defineDomain<{ readonly at: Date }>()
// @ts-expect-error JSON has no maps
defineDomain<{ readonly seen: readonly ReadonlyMap<string, number>[] }>()
// @ts-expect-error JSON has no bigints
defineDomain<{ readonly pence?: bigint }>()
defineDomain<{ readonly note: string | undefined; readonly at?: number }>()
