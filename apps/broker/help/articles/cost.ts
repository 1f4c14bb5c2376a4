import type { Article } from '../article.ts'

export const COST_ARTICLES: readonly Article[] = [
  {
    id: 'apr',
    title: 'What is APR?',
    answer:
      'APR is the cost of borrowing for a year, as a percentage. It counts the interest and any charges that you must pay, so you can compare loans by it.',
    more: [
      'Your quote shows an estimated APR. The lender that says yes shows the APR of its own offer before you decide.',
    ],
    asked: [
      'what does representative mean',
      'apr meaning',
      'annual percentage rate',
      'what does apr stand for',
      'interest rate explained',
      'how is the interest worked out',
      'what rate will I get',
    ],
  },
  {
    id: 'total-cost',
    title: 'What does the loan cost in all?',
    answer:
      'The total is everything you repay: what you borrow and the interest on it. The card with your payments shows the total for each time to repay, as an estimate.',
    more: ['A longer time to repay means smaller payments and more interest in all.'],
    asked: [
      'total cost of credit',
      'total to repay',
      'how much will I pay back altogether',
      'overall cost',
      'how much interest will I pay',
    ],
  },
  {
    id: 'monthly-payment',
    title: 'How much are the monthly payments?',
    answer:
      'The card with your payments shows an estimate for each time to repay. The lender that says yes shows the exact payment before you decide.',
    asked: [
      'monthly payment amount',
      'what will my repayments be',
      'how big are the repayments',
      'how much a month',
      'what are my instalments',
      'payments per month',
      'what will I pay every month',
    ],
  },
  {
    id: 'repayment-term',
    title: 'How long can I take to repay?',
    answer:
      'You choose on the card with your payments. A longer time makes each payment smaller, and the loan costs more in all.',
    asked: [
      'loan term length',
      'what does term mean',
      'how many years to pay',
      'shorter or longer loan',
      'number of months',
      'can I spread it over more years',
    ],
  },
  {
    id: 'fixed-rate',
    title: 'Can my rate or payment change?',
    answer:
      'The lender’s offer says whether its rate is fixed. With a fixed rate your payment stays the same until the end.',
    asked: [
      'is the rate fixed or variable',
      'will my payments go up',
      'can the interest rate rise',
      'bank of england base rate changes',
    ],
  },
  {
    id: 'fees',
    title: 'Do I pay you a fee?',
    answer:
      'You pay us no fee. Any charge that a lender makes stands in its agreement, which you read before you sign.',
    asked: [
      'broker fees',
      'admin fee',
      'is there a catch',
      'are there hidden charges',
      'arrangement fee',
      'do you charge me',
      'is it free to apply',
    ],
  },
  {
    id: 'commission',
    title: 'How are you paid?',
    answer:
      'A lender may pay us commission if you take out a loan. The amount can differ between lenders. You can ask us for it, or for how it is worked out, at any time.',
    more: ['Commission does not change what we ask you or the order in which lenders are asked.'],
    asked: [
      'how do you make money',
      'how do you make your money',
      'do you get commission from the lender',
      'what is in it for you',
      'who pays the broker',
      'does my installer get commission',
    ],
  },
  {
    id: 'deposit',
    title: 'What is the deposit, and when do I pay it?',
    answer:
      'The deposit is the part of the price that you pay your installer yourself. The loan covers the rest. Your order with the installer says when to pay it and when you get it back.',
    asked: [
      'when is the deposit due',
      'how much deposit do I need',
      'pay deposit',
      'do I get my deposit back',
      'no deposit',
      'who do I pay the deposit to',
    ],
  },
  {
    id: 'early-repayment',
    title: 'Can I repay early?',
    answer:
      'The law lets you repay some or all of the loan early. You then pay less interest. The lender may take a charge, which the law limits, and must tell you the amount when you ask.',
    more: [
      'The right comes from the Consumer Credit Act 1974. Ask the lender for a settlement figure: it says what is left to pay, and until when that figure holds.',
    ],
    asked: [
      'pay it off early',
      'settle the loan sooner',
      'early settlement',
      'overpay',
      'pay extra each month',
      'penalty for paying off early',
      'penalty for early repayment',
      'erly repayment',
      'clear the loan before the end',
      'lump sum',
    ],
  },
  {
    id: 'payment-date',
    title: 'How and when do I make payments?',
    answer:
      'Most lenders take payments each month by Direct Debit. The lender’s agreement names the first date and the day of the month. Ask the lender if another day suits you better.',
    asked: [
      'direct debit',
      'when is the first payment',
      'change payment date',
      'when do payments start',
      'bank details',
      'payday',
    ],
  },
  {
    id: 'savings',
    title: 'Will the system pay for itself?',
    answer:
      'Any figure for savings is an estimate, and nobody can guarantee it. Your loan payments stay due whatever the system saves.',
    asked: [
      'how much will I save on bills',
      'energy savings guaranteed',
      'payback time solar',
      'cheaper electricity',
      'sell power to the grid export tariff',
    ],
  },
  {
    id: 'change-amount',
    title: 'Can I borrow a different amount?',
    answer:
      'You borrow the price less the deposit. Your installer gives both, so ask them to change the price or the deposit before you start.',
    asked: [
      'borrow more',
      'borrow less',
      'change the loan amount',
      'bigger deposit',
      'wrong price on my project',
      'add more panels',
    ],
  },
]
