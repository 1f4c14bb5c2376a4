/** What stands on the customer's page, under the names that it has there. */
export const ON_PAGE = {
  answersSoFar: 'Your answers so far',
  change: 'Change',
  checkAnswers: 'Check your answers',
  recordDetails: 'Record these details',
  understand: 'I understand',
  grant: 'Grant consent',
  refuse: 'Refuse consent',
  confirm: 'I confirm',
  amend: "I'd like to amend",
  leave: 'Leave for now',
  withdraw: 'Withdraw the application',
  person: 'Speak to a person',
} as const

/** The rows of answers that can be given again, under the names that they have there. */
export const ROWS = {
  quote: 'Quote',
  email: 'Email copy',
  details: 'Your details',
  vulnerability: 'Support',
} as const

/** Where to go with what the assistant cannot answer or change. */
export const ASK_PERSON = `Choose "${ON_PAGE.person}" at the foot of the page.`
