/** Texts of an offer on other terms than the customer asked for. */
export const COUNTER_WORDS = {
  title: (lender: string) => `${lender} offers different terms`,
  lead: (payments: string, time: string, cost: string) => `${payments} ${time}. ${cost}`,
  payments: { more: 'Bigger payments', less: 'Smaller payments', same: 'The same payments' },
  time: { more: 'for longer', less: 'for less time', same: 'for the same time' },
  cost: {
    more: 'It costs more overall.',
    less: 'It costs less overall.',
    same: 'It costs the same overall.',
  },
  total: {
    more: (difference: string) => `You repay ${difference} more in total`,
    less: (difference: string) => `You repay ${difference} less in total`,
  },
  term: {
    more: (difference: string) => `You pay for ${difference} longer`,
    less: (difference: string) => `You stop paying ${difference} sooner`,
  },
  monthly: {
    more: (difference: string) => `You pay ${difference} more a month`,
    less: (difference: string) => `You pay ${difference} less a month`,
  },
  compared: (lender: string) => `What you asked for and what ${lender} offers`,
  asked: 'You asked',
  offered: 'The offer',
  rows: {
    total: 'In total',
    monthly: 'A month',
    term: 'For',
    apr: 'APR',
    borrow: 'You borrow',
  },
  choice: 'Your choice',
  accept: 'Accept this offer',
  acceptMeans: (lender: string) =>
    `${lender} makes a hard search, then sends its agreement. You owe nothing until you sign.`,
  refuseMeans: 'You turn this offer down and cannot get it back.',
  wait: 'Take your time',
  waitMeans: 'Use Help to save and come back, or to speak to a person.',
}
