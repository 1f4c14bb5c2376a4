/** Texts beside the summary that the customer checks and sends. */
export const SUMMARY_WORDS = {
  title: 'Check this before we send it',
  lead: 'Nothing is sent yet. When you confirm, we send it to one lender at a time.',
  estimate: 'Your estimate',
  answers: 'What we send',
  you: 'You',
  home: 'Home',
  tenure: (how: string) => `How you own it: ${how}`,
  money: 'Work and money',
  aYear: (pounds: string) => `${pounds} a year before tax`,
  spends: (pounds: string) => `Spends ${pounds} a month`,
  otherLoans: (loans: string) => `Other loans: ${loans}`,
  eligibility: 'Can you apply?',
  allYes: 'Yes to all four questions',
  support: 'Support',
  supportCount: (count: number) =>
    count === 0 ? 'None chosen' : `${count} chosen. Lenders do not see which.`,
  confirm: 'Confirm and send',
  change: 'Change something',
}
