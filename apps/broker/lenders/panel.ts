import type { PanelPosition, ProductCode } from '../case/state.ts'
import type { ApplicationPayload } from './application.ts'
import type { OfferTerms } from './rate-cards.ts'

export const DEMO_SCENARIOS = ['auto', 'clean', 'counter', 'decline'] as const
/** Which decisions a demonstration wants; `auto` follows the customer's figures. */
export type DemoScenario = (typeof DEMO_SCENARIOS)[number]

export interface PanelLender {
  readonly lender: string
  readonly position: PanelPosition
  readonly productCode: ProductCode
}

export interface LenderCall {
  /** The same for every attempt of the same application: a lender decides it once. */
  readonly key: string
  /** Only a panel that demonstrates reads it; it never leaves the process. */
  readonly scenario: DemoScenario
  /** Makes `decide` reject: a lender that was not waited for has not been unavailable. */
  readonly signal?: AbortSignal
}

/**
 * What a lender says. Whether an approval is the one that was asked for is not for the lender to
 * say: the waterfall compares the terms.
 */
export type LenderDecision =
  | LenderVerdict
  | { readonly kind: 'unavailable'; readonly reason: string }

/** A lender's decision. */
export type LenderVerdict =
  | { readonly kind: 'approved'; readonly terms: OfferTerms }
  | { readonly kind: 'declined'; readonly reason: string }

/** The boundary behind which real lenders replace the built-in ones. */
export interface LenderPanel {
  /** In the order in which they are asked. */
  readonly lenders: readonly PanelLender[]
  /**
   * Asks one lender, by its index in `lenders`.
   *
   * A lender that cannot be reached in time is `unavailable`, never an exception, and the same key
   * with the same application gets the same decision.
   */
  decide(index: number, application: ApplicationPayload, call: LenderCall): Promise<LenderDecision>
}
