import type { KeyFact } from './key-facts.ts'

/** In the order in which a journey meets them; the last is for declined cases and is no gate. */
export const DISCLOSURE_IDS = [
  'service_status',
  'credit_search_consent',
  'pre_contract_summary',
  'decline_signposting',
] as const
export type DisclosureId = (typeof DISCLOSURE_IDS)[number]

export type ResponseExpectation = 'acknowledge' | 'grant_or_refuse' | 'affirm_or_deny' | 'none'

/** One published version of a text. Times are ISO-8601 in UTC. */
export type Disclosure = {
  readonly id: DisclosureId
  /** 1 for the first, without gaps. */
  readonly version: number
  /** Hex SHA-256 of the body: what evidence names. */
  readonly contentHash: string
  readonly title: string
  /** Four, or none in versions from before there were any; the body begins with them. */
  readonly keyFacts: readonly KeyFact[]
  readonly body: string
  readonly responseExpectation: ResponseExpectation
  readonly approvedBy: string
  readonly approvedAt: string
  readonly effectiveFrom: string
  /** The first moment at which it is no longer shown anew. */
  readonly effectiveTo: string | null
  readonly retiredAt: string | null
}

/** A version as written: its hash is computed, and who drafted it is checked, not published. */
export type DisclosureText = Omit<Disclosure, 'contentHash' | 'keyFacts'> & {
  readonly draftedBy: string
  readonly keyFacts?: readonly KeyFact[]
}

/** What the people of the firm answer for, beside the text. */
export type Approval = Omit<
  DisclosureText,
  'id' | 'version' | 'title' | 'keyFacts' | 'body' | 'responseExpectation'
>
