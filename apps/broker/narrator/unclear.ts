/** Facts that could not be read, in the words of the tablet. */
const SENTENCES = {
  mobile: 'That is not a UK mobile number.',
  email: 'That is not a whole email address.',
  negative: 'An amount cannot be negative.',
  prices: 'I heard more than one price.',
  price: 'That is more than a project can cost here.',
  percent: 'A deposit cannot be more than 100%.',
  deposit: 'The deposit is more than the project value.',
} as const

export type Unclear = keyof typeof SENTENCES

export function tellUnclear(unclear: readonly Unclear[]): readonly string[] {
  return [...new Set(unclear)].map((what) => SENTENCES[what])
}
