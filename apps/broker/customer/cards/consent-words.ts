/** Texts of the decision about a credit search. */
export const CONSENT_WORDS = {
  title: 'May lenders check your credit file?',
  lead: 'You can say no. Then nothing is sent to a lender.',
  grant: 'Yes, they may search',
  refuse: 'No, do not search',
  refused: {
    title: 'You said no. That is fine',
    lead: 'No lender was asked and no search was made. We keep your answers.',
    again: 'Look at the question again',
    againMeans: 'Nothing happens until you say yes',
    save: 'Save and come back',
    saveMeans: 'Your link opens this page again',
    person: 'Speak to a person',
    personMeans: 'Your answers stay as they are',
    withdraw: 'Withdraw',
    withdrawMeans: 'This ends the application',
  },
}
