/** Texts of the page that asks lenders, and of the list of their answers. */
export const LENDER_WORDS = {
  title: 'Asking lenders',
  lead: 'One at a time. We stop at the first that will lend to you.',
  sending: 'Sending your application',
  sent: 'Application sent',
  deciding: (lender: string) => `${lender} is deciding`,
  askedAt: (time: string) => `Asked at ${time}`,
  onlyIf: (lender: string) => `Only if ${lender} does not lend`,
  nothingToDo: 'There is nothing for you to do.',
  comeBack: 'You can close this page and come back. Your link opens it again.',
  mostAnswers: (minutes: number) =>
    minutes === 1
      ? 'Most answers come within a minute.'
      : `Most answers come within ${minutes} minutes.`,
  longer: 'Taking longer? We keep asking.',
  callAfter: (minutes: number, phone: string) =>
    `After ${minutes} minutes, call us on ${phone} and give this reference:`,
  reference: 'Your reference:',
  asked: {
    title: 'Who we asked',
    declined: 'Declined after a soft search',
    declinedAt: (time: string) => `Declined at ${time}, after a soft search`,
    unavailable: 'Could not answer',
    unavailableAt: (time: string) => `Could not answer at ${time}`,
    approved_with_counter: 'Offered different terms',
    approved_with_counterAt: (time: string) => `Offered different terms at ${time}`,
    approved_as_requested: 'Will lend to you',
    approved_as_requestedAt: (time: string) => `Said yes at ${time}`,
    notAsked: 'Not asked',
    softSearch: 'Other lenders cannot see these searches. They do not change your score.',
  },
}
