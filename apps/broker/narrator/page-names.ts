/** The parts of the customer's page, under the names that they have there. */
export const ON_PAGE = {
  answersSoFar: 'Your answers so far',
  change: 'Change',
  checkAnswers: 'Check your answers',
  recordDetails: 'These are right. Save them',
  understand: 'I understand',
  grant: 'Yes, they may search',
  refuse: 'No, do not search',
  confirm: 'Confirm and send',
  amend: 'Change something',
  leave: 'Save and come back',
  withdraw: 'Withdraw',
  person: 'Speak to a person',
} as const

/** The rows of answers that can be given again, under the names that they have there. */
export const ROWS = {
  quote: 'Your payments',
  email: 'Copy by email',
  details: 'Your details',
  vulnerability: 'Support',
} as const

/** The advice for requests that the assistant cannot answer or fulfil. */
export const ASK_PERSON = `Choose "${ON_PAGE.person}" under Help.`
