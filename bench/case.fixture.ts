/** A case as a broker keeps it: about 5 KB of JSON. A type alias, as only those fit what JSON is. */
export type Case = {
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string }
  readonly quote: { readonly amount: number; readonly months: number; readonly apr: number }
  readonly disclosures: readonly Disclosure[]
  readonly notes: readonly string[]
}

type Disclosure = {
  readonly id: string
  readonly text: string
  readonly acknowledged: boolean
}

type Drafted<Value> = { -readonly [Key in keyof Value]: Drafted<Value[Key]> }

export const openCase: Case = {
  customer: { name: "Sarah O'Brien", email: 'sarah@home.test', phone: '07700 900 123' },
  quote: { amount: 12_500, months: 120, apr: 7.9 },
  disclosures: Array.from({ length: 24 }, (_, index) => disclosure(index)),
  notes: Array.from({ length: 12 }, (_, index) => `Survey ${index} of the roof was booked`),
}

function disclosure(index: number): Disclosure {
  const text = `Disclosure ${index}: the rate may change, and the rest to pay with it. `
  return { id: `disclosure-${index}`, text: text.repeat(2), acknowledged: false }
}

/** Three fields in three places, as a reducer would: all the rest stays the same object. */
export function withThreeChanges(before: Case): Case {
  return {
    ...before,
    customer: { ...before.customer, email: 'sarah@work.test' },
    quote: { ...before.quote, amount: before.quote.amount + 500 },
    disclosures: before.disclosures.map((item, index) =>
      index === 7 ? { ...item, acknowledged: true } : item,
    ),
  }
}

/** The same on a draft that notes what happens to it. */
export function makeThreeChanges(draft: Drafted<Case>): void {
  draft.customer.email = 'sarah@work.test'
  draft.quote.amount += 500
  const seventh = draft.disclosures[7]
  if (seventh) seventh.acknowledged = true
}

/** `count` disclosures, and the same with one more in the middle. */
export function withOneInserted(
  count: number,
): readonly [before: Disclosure[], after: Disclosure[]] {
  const before = Array.from({ length: count }, (_, index) => disclosure(index))
  return [before, before.toSpliced(count >> 1, 0, disclosure(count))]
}
