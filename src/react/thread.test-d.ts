import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import { defineDomain } from '../domain/index.ts'
import type { RecordOf } from '../domain/index.ts'
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

const { event, domain } = defineDomain<Ticket>()
const closed = event({
  schema: z.object({ why: z.string() }),
  by: [{ source: 'ui' }],
  reduce: () => ({ open: false }),
})
const tickets = domain({ name: 'tickets', initial: { open: true }, events: { closed } })
type TicketRecord = RecordOf<typeof tickets>

useThread({
  url: '/api/threads/t1/events',
  initial: '',
  fold: (last, record: TicketRecord) => (record.type === 'closed' ? record.data.why : last),
  restore: () => '',
})
const { records } = useThread<Ticket, TicketRecord>({
  url: '/api/threads/t1/events',
  records: true,
})
for (const record of records) {
  if (record.type === 'closed') expectTypeOf(record.data).toEqualTypeOf<{ why: string }>()
  // @ts-expect-error there is no event of this type
  if (record.type === 'closedd') expectTypeOf(record.seq).toBeNumber()
}

// @ts-expect-error the state is followed or not asked for
useThread({ ...options, state: false })
