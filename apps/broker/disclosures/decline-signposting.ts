import { writeBody } from './body.ts'
import type { DisclosureText } from './disclosure.ts'
import { FIRST_APPROVAL } from './firm.ts'

export const declineSignposting: DisclosureText = {
  id: 'decline_signposting',
  version: 1,
  title: 'Free help with money',
  responseExpectation: 'none',
  ...FIRST_APPROVAL,
  body: writeBody(`
    Our panel has no further offer for you. You have no loan through us and owe us nothing, and you
    need do nothing more here.

    If you would like to talk about money or debt, these services are free, confidential and
    independent of us:

    - StepChange Debt Charity: 0800 138 1111, stepchange.org
    - MoneyHelper: 0800 138 7777, moneyhelper.org.uk
    - Citizens Advice: citizensadvice.org.uk, or your local office

    You can ask for your credit file, free of charge, from Experian, Equifax and TransUnion. If
    something on it is wrong, they must look into it.

    Each further application for credit can leave a mark on your file, so you may wish to take
    advice first.
  `),
}
