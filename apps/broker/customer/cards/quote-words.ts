type ExampleFigures = readonly [
  borrow: string,
  payments: number,
  monthly: string,
  total: string,
  apr: string,
]

/** Texts about the cost of a loan. */
export const QUOTE_WORDS = {
  title: 'How long do you want to repay?',
  term: 'Repay over',
  monthFor: (term: string) => `a month for ${term}`,
  apr: (rate: string) => `${rate} APR`,
  representative: 'representative',
  yourRate: 'your rate',
  borrow: 'You borrow',
  interest: 'Interest',
  total: 'Total you repay',
  split: (borrow: string, interest: string) =>
    `${borrow} is what you borrow, ${interest} is interest`,
  estimate: 'An estimate, not an offer.',
  estimateMeans: 'No credit search is made. A lender may offer you another rate.',
  risk: 'If you miss payments you may pay more, and it can be harder and dearer to borrow.',
  compare: (count: number) => `Compare all ${count}`,
  compared: {
    caption: 'Each length of loan, with its cost',
    over: 'Over',
    month: 'A month',
    total: 'In total',
  },
  price: 'Price of the system',
  deposit: 'Deposit you pay the installer',
  example: 'Representative example.',
  exampleTerms: (...[borrow, payments, monthly, total, apr]: ExampleFigures) =>
    `Borrow ${borrow} and repay ${payments} monthly payments of ${monthly}. ` +
    `Total amount payable ${total}. Representative ${apr} APR.`,
  continueWith: (term: string) => `Continue with ${term}`,
  loading: 'Working out your payments',
  failed: 'We could not work out your payments. The fault is ours.',
  none: 'There is no estimate yet, because we do not know the price of your system.',
  askInstaller: 'Ask your installer to add it. This page then shows your payments.',
}
