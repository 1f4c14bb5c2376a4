import type { PanelLender } from '../lenders/index.ts'
import { writeBody } from './body.ts'
import type { DisclosureText } from './disclosure.ts'
import { FIRM, FIRST_APPROVAL, KEY_FACTS_APPROVAL } from './firm.ts'
import { withKeyFacts } from './key-facts.ts'
import type { KeyFact } from './key-facts.ts'

/** Every version, oldest first. */
export function serviceStatus(lenders: readonly PanelLender[]): readonly DisclosureText[] {
  const text = {
    id: 'service_status',
    title: 'About our service',
    responseExpectation: 'acknowledge',
  } as const
  const keyFacts = keyFactsFor(lenders)
  return [
    {
      ...text,
      version: 1,
      ...FIRST_APPROVAL,
      effectiveTo: KEY_FACTS_APPROVAL.effectiveFrom,
      body: bodyWith(lenders, 'Only the buttons and forms that you use yourself count.'),
    },
    {
      ...text,
      version: 2,
      ...KEY_FACTS_APPROVAL,
      keyFacts,
      body: withKeyFacts(keyFacts, bodyWith(lenders, WHAT_COUNTS)),
    },
  ]
}

// The one thing that words in the chat do is to acknowledge this very notice.
const WHAT_COUNTS = `You can tell it that you understand this notice. Everything else counts only
      from the buttons and forms that you use yourself.`

function keyFactsFor(lenders: readonly PanelLender[]): readonly KeyFact[] {
  return [
    {
      title: 'We are a broker, not a lender',
      text: `We ask up to ${lenders.length} lenders. We do not compare the whole market.`,
    },
    {
      title: 'You pay us no fee',
      text: 'A lender may pay us commission. Ask us how much at any time.',
    },
    {
      title: 'You decide every step',
      text: 'No credit search without your yes. You can stop at any point before you sign.',
    },
    {
      title: 'An AI assistant can explain',
      text: 'It can make mistakes. Only your own buttons agree to a search or a loan.',
    },
  ]
}

function bodyWith(lenders: readonly PanelLender[], whatCounts: string): string {
  return writeBody(`
    We are ${FIRM.name}. Our Financial Conduct Authority firm reference number is
    ${FIRM.fcaNumber}. You can check any firm at register.fca.org.uk.

    We are a credit broker, not a lender. We do not lend money and we do not make lending
    decisions.

    The retailer selling you the system introduced you to us. The retailer is an introducer. It
    does not decide whether you can borrow.

    We work with a panel of ${lenders.length} lenders. We do not compare the whole market. You are
    free to look for credit elsewhere, or to pay another way.

    You pay us no fee. A lender may pay us commission if you take out a loan, and the amount can
    differ between lenders. Ask us at any time and we will tell you the amount, or how it is
    worked out.

    What happens next:

    - We ask whether you meet the basic requirements for a loan.
    - We show you one indicative quote. It is an estimate and not an offer.
    - We ask for your details and whether you would like any extra support.
    - We ask for your consent before any credit search. You can refuse.
    - If you confirm, we send your application to our lenders one at a time.
    - You decide whether to accept an offer. You can stop at any point before you sign.

    An AI assistant talks you through these steps. It can make mistakes. It does not make lending
    decisions, it does not give financial advice, and it cannot agree to anything for you. ${whatCounts}

    If you are unhappy with our service, write to ${FIRM.complaintsEmail}. We will send you a
    final answer within 8 weeks. If you disagree with it, or we take longer, you can go to the
    Financial Ombudsman Service free of charge, normally within 6 months of our final answer. Its
    website is financial-ombudsman.org.uk and its number is 0800 023 4567.
  `)
}
