import type { PanelLender } from '../lenders/index.ts'
import { creditSearchConsent } from './credit-search-consent.ts'
import { declineSignposting } from './decline-signposting.ts'
import type { DisclosureText } from './disclosure.ts'
import { preContractSummary } from './pre-contract-summary.ts'
import { serviceStatus } from './service-status.ts'

/** Every text that the broker has shown, for a panel; another panel needs new versions. */
export function brokerDisclosures(lenders: readonly PanelLender[]): readonly DisclosureText[] {
  return [
    ...serviceStatus(lenders),
    ...creditSearchConsent(lenders),
    ...preContractSummary,
    declineSignposting,
  ]
}
