/** An order of the invented shop. */
export interface Order {
  readonly number: string
  readonly item: string
  readonly pounds: number
  readonly paid: string
  readonly parcel: string
  /** What the carrier noted, oldest first. */
  readonly scans: readonly string[]
  /** Whether the carrier wants to know where the parcel was to go before it says anything. */
  readonly trace: 'open' | 'asks_postcode'
}

export const ORDERS: readonly Order[] = [
  {
    number: '4711',
    item: 'reading lamp',
    pounds: 89,
    paid: 'by card on 3 November',
    parcel: 'NL-204-4711',
    scans: ['left the warehouse', 'on the van', 'left at the door, box dented'],
    trace: 'open',
  },
  {
    number: '4712',
    item: 'wool rug',
    pounds: 240,
    paid: 'by bank transfer on 5 November',
    parcel: 'NL-204-4712',
    scans: ['left the warehouse', 'on the van', 'handed to a neighbour, no name given'],
    trace: 'asks_postcode',
  },
  {
    number: '4713',
    item: 'set of mugs',
    pounds: 24,
    paid: 'by card on 9 November',
    parcel: 'NL-204-4713',
    scans: ['left the warehouse', 'on the van', 'signed for at the door'],
    trace: 'open',
  },
]

/** @throws when there is no such order; the message is meant for a model */
export function findOrder(number: string): Order {
  const order = ORDERS.find((each) => each.number === number.trim())
  if (order) return order
  const known = ORDERS.map((each) => each.number).join(', ')
  throw new Error(`Cannot find order "${number.slice(0, 20)}": the book holds ${known}`)
}

/** @throws when there is no such parcel; the message is meant for a model */
export function findParcel(parcel: string): Order {
  const order = ORDERS.find((each) => each.parcel === parcel.trim())
  if (!order) throw new Error(`Cannot trace parcel "${parcel.slice(0, 20)}": no such parcel`)
  return order
}

export function money(pounds: number): string {
  return `£${pounds.toFixed(2)}`
}
