import type { EligibilityFacts } from '../../case/state.ts'

export type Criterion = Exclude<keyof EligibilityFacts, 'capturedAt'>

/** Texts of the four questions about eligibility. */
export const ELIGIBILITY_WORDS = {
  title: 'Can you apply?',
  lead: 'Lenders need a yes to all four. Nobody looks at your credit file.',
  questions: {
    isOver18: 'Are you 18 or over?',
    isUkResident: 'Do you live in the UK?',
    isHomeowner: 'Do you own the home?',
    isEmployed: 'Do you have a regular income?',
  } satisfies Record<Criterion, string>,
  hints: {
    isOver18: '',
    isUkResident: '',
    isHomeowner: 'Outright or with a mortgage.',
    isEmployed: 'From work or a pension.',
  } satisfies Record<Criterion, string>,
  unanswered: {
    isOver18: 'Say whether you are 18 or over',
    isUkResident: 'Say whether you live in the UK',
    isHomeowner: 'Say whether you own the home',
    isEmployed: 'Say whether you have a regular income',
  } satisfies Record<Criterion, string>,
}
