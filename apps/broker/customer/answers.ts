import type { SummaryRow } from '../../kit/index.ts'
import { money, percent } from '../../kit/index.ts'
import { creditSearchConsent, isAcknowledged, isEligible } from '../case/gates.ts'
import type { CaseView } from './case-view.ts'
import { mayChangeAnswers } from './case-view.ts'
import { isComplete } from './details/draft.ts'
import { WORDS } from './words.ts'

/** Cards that can be opened again. */
export type Changeable = 'quote' | 'email' | 'details' | 'vulnerability'

/** Opens a card again, at one of its fields where one is named. */
export type ChangeAnswer = (card: Changeable, field?: string) => void

interface Question {
  readonly name: string
  /** The answer in words, once there is one. */
  readonly answer: (view: CaseView) => string | undefined
  readonly card?: Changeable
}

const words = WORDS.answer

/** In the order of the journey. */
const QUESTIONS: readonly Question[] = [
  {
    name: words.service_status,
    answer: (view) => (isAcknowledged(view, 'service_status') ? words.understood : undefined),
  },
  { name: words.eligibility, answer: eligibility },
  { name: words.quote, answer: quote, card: 'quote' },
  { name: words.email, answer: email, card: 'email' },
  {
    name: words.details,
    answer: (view) => (isComplete(view) ? view.personal.fullName : undefined),
    card: 'details',
  },
  { name: words.support, answer: support, card: 'vulnerability' },
  { name: words.consent, answer: consent },
  {
    name: words.pre_contract,
    answer: (view) => (isAcknowledged(view, 'pre_contract_summary') ? words.confirmed : undefined),
  },
]

/** What finished cards collapse to. */
export function answersSoFar(view: CaseView, change: ChangeAnswer): readonly SummaryRow[] {
  return QUESTIONS.flatMap(({ name, answer, card }) => {
    const value = answer(view)
    if (value === undefined) return []
    const onChange = card && mayChangeAnswers(view) ? () => change(card) : undefined
    return [{ name, value, onChange }]
  })
}

function eligibility(view: CaseView): string | undefined {
  if (!view.eligibility) return undefined
  return isEligible(view) ? words.allYes : words.notAllYes
}

function quote({ provisionalQuote }: CaseView): string | undefined {
  if (!provisionalQuote) return undefined
  const { monthlyPayment, termMonths, indicativeAprPct } = provisionalQuote
  const term = WORDS.quote.months(termMonths)
  return words.quoted(money(monthlyPayment), term, percent(indicativeAprPct))
}

function email({ emailPreference }: CaseView): string | undefined {
  if (!emailPreference) return undefined
  return emailPreference.wantsEmailCopy
    ? (emailPreference.email ?? words.emailWanted)
    : words.noEmail
}

function support({ financial }: CaseView): string | undefined {
  const { vulnerabilityIndicators = [], vulnerabilityNote, vulnerabilityCapturedAt } = financial
  if (vulnerabilityCapturedAt === undefined) return undefined
  const count = vulnerabilityIndicators.length + (vulnerabilityNote ? 1 : 0)
  return count === 0 ? words.noSupport : words.supportShared(count)
}

function consent(view: CaseView): string | undefined {
  const decision = creditSearchConsent(view)
  if (!decision) return undefined
  return decision.granted ? words.granted : words.refused
}
