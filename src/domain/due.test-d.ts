import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import { defineDomain } from './index.ts'
import type { DeadlineType, ProposalOf } from './index.ts'

interface Incident {
  readonly id: string
  readonly pageWanted: boolean
  readonly pagedAt?: number
}

const { event, domain } = defineDomain<Incident>()
const by = [{ source: 'system' }] as const
const reduce = (state: Incident) => state
const events = {
  escalated: event({ schema: z.strictObject({ level: z.int() }), by, reduce }),
  closed: event({ schema: z.object({ note: z.string().default('') }), by, reduce }),
}
const parts = { name: 'incidents', initial: { id: 'i', pageWanted: false }, events }

expectTypeOf<ProposalOf<typeof events>>().toEqualTypeOf<
  | { readonly type: 'escalated'; readonly data: { level: number } }
  | { readonly type: 'closed'; readonly data: { note?: string | undefined } }
>()

domain({
  ...parts,
  effects: [
    { name: 'page', due: (s) => s.pageWanted && { key: s.id, input: { to: s.id } } },
    { name: 'mail', due: (s) => [{ key: s.id, input: {} }] },
    {
      name: 'call',
      due: (s) => {
        expectTypeOf(s).toEqualTypeOf<Incident>()
        return undefined
      },
    },
  ],
  deadlines: [
    {
      name: 'escalate',
      due: (s) =>
        s.pagedAt && {
          at: s.pagedAt,
          key: s.id,
          propose: { type: 'escalated', data: { level: 2 } },
        },
    },
    {
      name: 'close',
      due: (s) => {
        expectTypeOf(s).toEqualTypeOf<Incident>()
        return [{ at: 1, key: s.id, propose: { type: 'closed', data: {} } }]
      },
    },
  ],
})

const at = { at: 1, key: 'k' }
domain({
  ...parts,
  // @ts-expect-error a deadline proposes no event that the domain lacks
  deadlines: [{ name: 'd', due: () => ({ ...at, propose: { type: 'escalate', data: {} } }) }],
})
domain({
  ...parts,
  // @ts-expect-error a deadline's data has the types of its event's schema
  deadlines: [{ name: 'd', due: () => ({ ...at, propose: { type: 'escalated', data: {} } }) }],
})
domain({
  ...parts,
  deadlines: [
    // @ts-expect-error the data of one event is not the data of another
    { name: 'd', due: () => ({ ...at, propose: { type: 'closed', data: { note: 2 } } }) },
  ],
})
domain({
  ...parts,
  // @ts-expect-error a deadline names its time
  deadlines: [{ name: 'd', due: () => ({ key: 'k', propose: { type: 'closed', data: {} } }) }],
})
// @ts-expect-error an effect names its key
domain({ ...parts, effects: [{ name: 'e', due: () => ({ input: {} }) }] })
// @ts-expect-error an effect's input is JSON
domain({ ...parts, effects: [{ name: 'e', due: () => ({ key: 'k', input: { of: 1n } }) }] })
// @ts-expect-error `due` reads the domain's own state
domain({ ...parts, effects: [{ name: 'e', due: (s: { readonly other: 1 }) => s.other > 2 }] })

expectTypeOf<DeadlineType<Incident, ProposalOf<typeof events>>>().toExtend<DeadlineType<Incident>>()
