import type { VULNERABILITY_INDICATORS } from '../../case/events/application-details.ts'

/** Texts of the question about support. */
export const SUPPORT_WORDS = {
  title: 'Would any support help you?',
  lead: 'Only if you want to say. It does not change the decision or the price.',
  question: 'Choose all that apply',
  indicators: {
    financial_difficulty: 'It is hard to pay bills or debts',
    long_term_health_condition: 'I have a health condition or disability',
    recent_life_event: 'Something big changed in my life',
    english_not_first_language: 'English is not my first language',
    support_needed_before_signing: 'I want support before I sign',
  } satisfies Record<(typeof VULNERABILITY_INDICATORS)[number], string>,
  or: 'or',
  none: 'None of these',
  note: 'Anything else',
  noteHint: 'We read this. Lenders and your installer never see it.',
  seen: 'Lenders see only how many you chose. They never see which.',
  save: 'Save and continue',
  skip: 'Skip',
  nothingChosen: 'Choose what applies, or choose None of these',
}
