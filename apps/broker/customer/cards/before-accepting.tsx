import { WORDS } from '../words.ts'

/** What accepting brings about, and what it does not yet. */
export function BeforeAccepting({ lender }: { readonly lender: string }) {
  return (
    <>
      <p>{WORDS.offer.search(lender)}</p>
      <p>{WORDS.offer.agreement(lender)}</p>
    </>
  )
}
