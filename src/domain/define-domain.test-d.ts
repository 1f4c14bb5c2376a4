import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import { defineDomain } from './index.ts'

const { event } = defineDomain<{ readonly n: number }>()
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
