import type { SummaryRow } from '../../kit/index.ts'
import { answersSoFar } from './answers.ts'
import { ELIGIBILITY_WORDS } from './cards/eligibility-words.ts'
import type { CaseView } from './case-view.ts'
import { draftOf } from './details/draft.ts'
import { shownAnswers } from './details/shown-answers.ts'
import type { AnsweredPlace } from './steps.ts'
import { WORDS } from './words.ts'

/** Returns the customer's answers at one step, in words. */
export function answerRows(view: CaseView, place: AnsweredPlace): readonly SummaryRow[] {
  switch (place) {
    case 'eligibility':
      return eligibilityRows(view)
    case 'details':
      return shownAnswers(draftOf(view))
    case 'service_status':
    case 'quote':
    case 'email':
    case 'support':
    case 'consent':
    case 'summary':
      return answersSoFar(view).filter((row) => row.place === place)
  }
}

function eligibilityRows({ eligibility }: CaseView): readonly SummaryRow[] {
  if (!eligibility) return []
  const { questions } = ELIGIBILITY_WORDS
  const answers = [
    [questions.isOver18, eligibility.isOver18],
    [questions.isUkResident, eligibility.isUkResident],
    [questions.isHomeowner, eligibility.isHomeowner],
    [questions.isEmployed, eligibility.isEmployed],
  ] as const
  return answers.map(([name, answer]) => ({ name, value: answer ? WORDS.yes : WORDS.no }))
}
