/** Why each rule acted. */
export const RULES: ReadonlyMap<string, string> = new Map([
  [
    'R1',
    'Rule R1: whoever says yes to the credit search has read its text. So the rule acknowledges that text.',
  ],
  [
    'R2',
    'Rule R2: a yes to the credit search comes before the summary. So the rule shows the summary.',
  ],
  ['R3', 'Rule R3: nothing is missing any more. So the rule sends the application to the lenders.'],
])
