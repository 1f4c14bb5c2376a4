import { writeBody } from './body.ts'
import type { DisclosureText } from './disclosure.ts'
import { FIRST_APPROVAL, KEY_FACTS_APPROVAL } from './firm.ts'
import { withKeyFacts } from './key-facts.ts'
import type { KeyFact } from './key-facts.ts'

const TEXT = {
  id: 'pre_contract_summary',
  title: 'Pre-contract summary',
  responseExpectation: 'affirm_or_deny',
} as const

const KEY_FACTS: readonly KeyFact[] = [
  {
    title: 'You say it is true',
    text: 'False information to get credit may be a crime. Change anything that is wrong.',
  },
  {
    title: 'It is an estimate',
    text: 'A lender’s offer can differ. If it does, you see both and choose.',
  },
  {
    title: '14 days to change your mind',
    text:
      'Count from the day after the agreement. If your copy comes later, count from the day ' +
      'after that. You then repay what you borrowed, with interest, within 30 days.',
  },
  {
    title: 'If you miss payments',
    text: 'The lender may add charges and go to court. Your credit file may show it for 6 years.',
  },
]

/** Every version, oldest first. */
export const preContractSummary: readonly DisclosureText[] = [
  {
    ...TEXT,
    version: 1,
    ...FIRST_APPROVAL,
    effectiveTo: KEY_FACTS_APPROVAL.effectiveFrom,
    body: bodyWith(
      'When you confirm, we send your application to the lenders on our panel',
      'choose\n    to amend it',
    ),
  },
  {
    ...TEXT,
    version: 2,
    ...KEY_FACTS_APPROVAL,
    keyFacts: KEY_FACTS,
    body: withKeyFacts(
      KEY_FACTS,
      bodyWith(
        'Nothing has been sent yet. When you confirm, we send your application at once to the ' +
          'lenders on our panel',
        'change\n    it first',
      ),
    ),
  },
]

function bodyWith(whenConfirmed: string, ifWrong: string): string {
  return writeBody(`
    Please check your details before we send your application. By confirming you tell us that what
    you have given us is true and complete to the best of your knowledge.

    Giving false information to get credit may be a criminal offence. If something is wrong, ${ifWrong}.

    ${whenConfirmed}, one at a time, in the
    order that we showed you.

    These are the key terms of the indicative quote that you chose:

    - Amount of credit: the price of your system less your deposit, as shown in your quote.
    - Term: the number of months in your quote, with one payment each month.
    - Rate: the annual percentage rate (APR) in your quote. It is indicative, and a lender may offer
      another rate.
    - Monthly payment and total to repay: as shown in your quote. The total is every monthly payment
      added together.

    The quote is an estimate. Only the lender can make you an offer, and its terms can differ. If
    they do, we show you both and you choose.

    Any saving on your energy bills is an estimate too. You owe the payments whatever your system
    saves.

    Missing payments has consequences. The lender may add charges and interest, it may pass your
    debt to a collector or take you to court, and your credit file may show it for 6 years. That can
    make borrowing harder and dearer.

    You have a right to withdraw from the credit agreement within 14 days, without giving a reason.
    The 14 days begin the day after the agreement is made, or the day after you get your copy if
    that is later. You then repay the amount you borrowed, with interest up to the day you repay it,
    within 30 days. This ends the loan. It does not by itself end your contract with the retailer.

    Before you sign, the lender you choose gives you its pre-contract credit information (sometimes
    called SECCI or PCCI) and your agreement. Read them, take the time you need, and ask the lender
    about anything that is unclear.
  `)
}
