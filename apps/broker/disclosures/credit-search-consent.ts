import type { PanelLender } from '../lenders/index.ts'
import { writeBody } from './body.ts'
import type { DisclosureText } from './disclosure.ts'
import { FIRM, FIRST_APPROVAL, KEY_FACTS_APPROVAL } from './firm.ts'
import { withKeyFacts } from './key-facts.ts'
import type { KeyFact } from './key-facts.ts'

const SECOND_FROM = '2026-11-22T00:00:00.000Z'

/** Every version, oldest first. */
export function creditSearchConsent(lenders: readonly PanelLender[]): readonly DisclosureText[] {
  const text = {
    id: 'credit_search_consent',
    title: 'Credit search consent',
    responseExpectation: 'grant_or_refuse',
  } as const
  const keyFacts = keyFactsFor(lenders)
  // Leaving for now withdraws nothing.
  const body = bodyWith(lenders, 'by withdrawing the application')
  return [
    {
      ...text,
      version: 1,
      ...FIRST_APPROVAL,
      effectiveTo: SECOND_FROM,
      body: bodyWith(lenders, 'by choosing to leave the application'),
    },
    {
      ...text,
      version: 2,
      ...FIRST_APPROVAL,
      approvedAt: '2026-11-21T10:00:00.000Z',
      effectiveFrom: SECOND_FROM,
      effectiveTo: KEY_FACTS_APPROVAL.effectiveFrom,
      body,
    },
    { ...text, version: 3, ...KEY_FACTS_APPROVAL, keyFacts, body: withKeyFacts(keyFacts, body) },
  ]
}

function keyFactsFor(lenders: readonly PanelLender[]): readonly KeyFact[] {
  const inOrder = lenders.map(({ lender }) => lender).join(', then ')
  return [
    {
      title: 'First, a soft search',
      text: 'You can see it on your file. Other lenders cannot. It does not change your score.',
    },
    {
      title: 'One lender at a time',
      text: `${inOrder}. We stop at the first that will lend.`,
    },
    {
      title: 'A hard search only if you accept',
      text:
        'The lender whose offer you accept makes it before you sign. Others can see it, usually ' +
        'for 12 months. It can lower your score for a while.',
    },
    {
      title: 'What we share',
      text: 'Your details, income, spending and the loan you asked for. Not this conversation.',
    },
  ]
}

function bodyWith(lenders: readonly PanelLender[], toWithdraw: string): string {
  return writeBody(`
    We need your consent before a lender checks your credit file. We ask the lenders one at a
    time, in this order:

    ${lenders.map(({ lender }) => `- ${lender}`).join('\n')}

    We stop at the first lender that is willing to lend. We ask the next one only if a lender
    declines, cannot answer, or makes a different offer that you turn down. A lender that we do
    not reach gets nothing from us.

    There are two kinds of search:

    - A soft search is how a lender decides whether to make an offer. You can see it on your
      credit file. Other lenders cannot, and it does not affect your credit score.
    - A hard search is made only by the lender whose offer you accept, before you sign. Other
      lenders can see it, usually for 12 months. It can lower your credit score for a while, and
      several in a short time can make borrowing harder.

    This is what we share with a lender that we ask:

    - your name, date of birth, address and type of home
    - your employment, your income, your outgoings and the commitments you told us about
    - your project, its retailer, the loan you asked for and your answers about eligibility
    - which disclosures you have read and which consents you have given
    - whether we asked if you need support, and how many needs you named, but not what they are

    We do not share this conversation, or anything you wrote about needing support.

    You can refuse. Then no search is made, nothing is sent to a lender, and you can stop here or
    come back to this question later.

    You can withdraw your consent later ${toWithdraw}, or by writing to
    ${FIRM.consentEmail}. A search that was already made stays on your file.

    This is a demonstration. Its lenders are invented, and no credit reference agency is
    contacted.
  `)
}
