import { expectTypeOf } from 'vitest'
import { useThread } from './index.ts'
import type { UseThreadOptions } from './index.ts'
import type { Json } from '../json/index.ts'

interface Ticket {
  readonly open: boolean
}

const options: UseThreadOptions<number> = {
  url: '/api/threads/t1/events',
  state: true,
  initial: 0,
  fold: (count) => count + 1,
  restore: () => 0,
}

expectTypeOf(useThread(options).state).toEqualTypeOf<Json | undefined>()
expectTypeOf(useThread<number, Ticket>(options).state).toEqualTypeOf<Ticket | undefined>()
expectTypeOf(useThread<number, Ticket>(options).view).toBeNumber()
expectTypeOf(useThread(options).carried['ticket']?.['id']).toEqualTypeOf<Json | undefined>()

// @ts-expect-error the state is followed or not asked for
useThread({ ...options, state: false })
