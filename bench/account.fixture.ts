import { produce } from 'immer'
import { create } from 'mutative'
import { defineDomain } from 'throughline'
import type { Domain } from 'throughline'
import type { LogRecord } from 'throughline/log'
import { z } from 'zod'

/** A state that every event changes on two levels. */
export interface Account {
  readonly holder: { readonly name: string; readonly email: string }
  readonly paid: { readonly cents: number; readonly by: string }
  readonly payments: number
}

interface Draft {
  paid: { cents: number; by: string }
  payments: number
}

export const payment = z.strictObject({
  by: z.string().min(1).max(40),
  cents: z.int().min(1).max(10_000_000),
  note: z.string().max(200),
})

type Payment = z.infer<typeof payment>

const initial: Account = {
  holder: { name: "Sarah O'Brien", email: 'sarah@home.test' },
  paid: { cents: 0, by: '' },
  payments: 0,
}

/** The domain as it is meant to be written. */
export const account = accountReducedBy((state, { by, cents }) => ({
  ...state,
  paid: { cents: state.paid.cents + cents, by },
  payments: state.payments + 1,
}))

export const immerAccount = accountReducedBy((state, data) => produce(state, paying(data)))

export const mutativeAccount = accountReducedBy((state, data) => create(state, paying(data)))

/** A thread of payments. */
export function payments(count: number): readonly LogRecord[] {
  return Array.from({ length: count }, (_, seq) => ({
    seq,
    id: `01936c5e-9c44-7000-8000-${String(seq).padStart(12, '0')}`,
    thread: 'case-1',
    ts: 1_764_000_000_000 + seq,
    type: 'pay',
    data: paymentOf(seq),
    origin: { source: 'ui', surface: 'customer', depth: 0 },
    v: 1,
    prev: '0'.repeat(64),
    hash: '0'.repeat(64),
  }))
}

export function paymentOf(seq: number): Payment {
  return { by: `card-${seq % 16}`, cents: 100 + seq, note: 'monthly, as agreed in the plan' }
}

function accountReducedBy(reduce: (state: Account, data: Payment) => Account): Domain<Account> {
  const { event, domain } = defineDomain<Account>()
  const pay = event({ schema: payment, by: [{ source: 'ui', surface: 'customer' }], reduce })
  return domain({ name: 'account', initial, events: { pay } })
}

function paying({ by, cents }: Payment): (draft: Draft) => void {
  return (draft) => {
    draft.paid = { cents: draft.paid.cents + cents, by }
    draft.payments++
  }
}
