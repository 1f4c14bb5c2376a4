import type { SummaryRow } from '../../kit/index.ts'
import { money, percent } from '../../kit/index.ts'
import { creditSearchConsent, isAcknowledged, isEligible } from '../case/gates.ts'
import type { CaseView } from './case-view.ts'
import { mayChangeAnswers } from './case-view.ts'
import { termText } from './cards/term.ts'
import { isComplete } from './details/draft.ts'
import type { AnsweredPlace } from './steps.ts'
import { ANSWER_WORDS } from './answer-words.ts'

/** Cards that can be opened again. */
export type Changeable = 'quote' | 'email' | 'details' | 'vulnerability'

/** Opens a card again, at one of its fields where one is named. */
export type ChangeAnswer = (card: Changeable, field?: string) => void

/** An answer, and where in the journey it was given. */
export interface AnswerRow extends SummaryRow {
  readonly place: AnsweredPlace
}

interface Question {
  readonly place: AnsweredPlace
  readonly name: string
  /** The answer in words, once there is one. */
  readonly answer: (view: CaseView) => string | undefined
  readonly card?: Changeable
}

const words = ANSWER_WORDS

/** In the order of the journey. */
const QUESTIONS: readonly Question[] = [
  {
    place: 'service_status',
    name: words.service_status,
    answer: (view) => (isAcknowledged(view, 'service_status') ? words.understood : undefined),
  },
  { place: 'eligibility', name: words.eligibility, answer: eligibility },
  { place: 'quote', name: words.quote, answer: quote, card: 'quote' },
  { place: 'email', name: words.email, answer: email, card: 'email' },
  {
    place: 'details',
    name: words.details,
    answer: (view) => (isComplete(view) ? view.personal.fullName : undefined),
    card: 'details',
  },
  { place: 'support', name: words.support, answer: support, card: 'vulnerability' },
  { place: 'consent', name: words.consent, answer: consent },
  {
    place: 'summary',
    name: words.pre_contract,
    answer: (view) => (isAcknowledged(view, 'pre_contract_summary') ? words.confirmed : undefined),
  },
]

/** All answers in words, with a way to change those that may change where `change` is given. */
export function answersSoFar(view: CaseView, change?: ChangeAnswer): readonly AnswerRow[] {
  return QUESTIONS.flatMap(({ place, name, answer, card }) => {
    const value = answer(view)
    if (value === undefined) return []
    const onChange = card && change && mayChangeAnswers(view) ? () => change(card) : undefined
    return [{ place, name, value, onChange }]
  })
}

function eligibility(view: CaseView): string | undefined {
  if (!view.eligibility) return undefined
  return isEligible(view) ? words.allYes : words.notAllYes
}

function quote({ provisionalQuote }: CaseView): string | undefined {
  if (!provisionalQuote) return undefined
  const { monthlyPayment, termMonths, indicativeAprPct } = provisionalQuote
  const term = termText(termMonths)
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
  const { length } = vulnerabilityIndicators
  if (length === 0) return vulnerabilityNote ? words.noteOnly : words.noSupport
  const chosen = words.supportChosen(length)
  return vulnerabilityNote ? words.withNote(chosen) : chosen
}

function consent(view: CaseView): string | undefined {
  const decision = creditSearchConsent(view)
  if (!decision) return undefined
  return decision.granted ? words.granted : words.refused
}
