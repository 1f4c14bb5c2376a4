import type { Json, ProposalOf, Rule } from 'throughline'
import type { BrokerState } from './case-domain.ts'
import type { submitApplication } from './events/application.ts'
import type { evidenceEvents, presentDisclosure } from './events/disclosures-and-consents.ts'
import {
  isAcknowledged,
  isCreditSearchGranted,
  isLocked,
  missingForSubmission,
  presented,
} from './gates.ts'

type BrokerRule = Rule<
  BrokerState,
  ProposalOf<
    typeof evidenceEvents & {
      present_disclosure: ReturnType<typeof presentDisclosure>
      submit_application: ReturnType<typeof submitApplication>
    }
  >
>

// A person who grants the search was shown its text: the grant names the text and its hash.
const acknowledgeConsentText: BrokerRule = {
  name: 'R1',
  causedBy: isCreditSearchGrant,
  propose: ({ case: state }) => {
    const due =
      presented(state, 'credit_search_consent') !== undefined &&
      !isAcknowledged(state, 'credit_search_consent')
    if (!due || !isOpenAndGranted(state)) return []
    return [{ type: 'acknowledge_disclosure', data: { id: 'credit_search_consent' } }]
  },
}

const presentSummary: BrokerRule = {
  name: 'R2',
  causedBy: isCreditSearchGrant,
  propose: ({ case: state }) => {
    if (presented(state, 'pre_contract_summary') || !isOpenAndGranted(state)) return []
    return [{ type: 'present_disclosure', data: { id: 'pre_contract_summary' } }]
  },
}

const submitWhenReady: BrokerRule = {
  name: 'R3',
  submits: true,
  propose: ({ case: state }) => {
    if (isLocked(state) || missingForSubmission(state).length > 0) return []
    return [{ type: 'submit_application', data: {} }]
  },
}

/** Every rule that crosses event types, in the order in which they run. */
export const brokerRules: readonly BrokerRule[] = [
  acknowledgeConsentText,
  presentSummary,
  submitWhenReady,
]

function isOpenAndGranted(state: BrokerState['case']): boolean {
  return !isLocked(state) && isCreditSearchGranted(state)
}

function isCreditSearchGrant(record: { readonly type: string; readonly data: Json }): boolean {
  if (record.type !== 'capture_consent') return false
  // The gate let it in, so its data has the shape of that event's schema.
  const { consentType, granted } = record.data as { consentType: string; granted: boolean }
  return consentType === 'credit_search' && granted
}
