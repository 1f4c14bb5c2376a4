import { textOf } from 'throughline/agui'
import type { LogRecord } from 'throughline/log'
import type { CaseOutcomeKind, CaseState } from '../case/state.ts'

/** A consent this soon before its submission was hardly read, in milliseconds. */
const HASTE_MS = 30_000

export type Anomaly =
  | 'vulnerability_not_probed'
  | 'selected_with_unacknowledged_disclosure'
  | 'hasty_submission'
  | 'declined_without_steps'

export interface ComplianceSummary {
  readonly disclosuresPresentedCount: number
  readonly disclosuresAcknowledgedCount: number
  readonly allDisclosuresAcknowledged: boolean
  readonly consentsCount: number
  readonly explicitConsents: boolean
  readonly vulnerabilityProbed: boolean
  readonly vulnerabilityIndicatorsCount: number
  readonly waterfallSteps: number
  readonly finalOutcome: CaseOutcomeKind | null
  readonly durations: {
    readonly sessionMs: number | null
    readonly fromConsentToSubmissionMs: number | null
  }
  readonly anomalies: readonly Anomaly[]
}

/** Says what a case shows of how it was conducted. Pure. */
export function compliance(state: CaseState, records: readonly LogRecord[]): ComplianceSummary {
  const { disclosures, consents, financial, waterfall, caseOutcome } = state
  const acknowledged = disclosures.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined)
  const summary = {
    disclosuresPresentedCount: disclosures.length,
    disclosuresAcknowledgedCount: acknowledged.length,
    allDisclosuresAcknowledged:
      disclosures.length > 0 && acknowledged.length === disclosures.length,
    consentsCount: consents.length,
    explicitConsents: consents.every(({ granted }) => typeof granted === 'boolean'),
    vulnerabilityProbed: financial.vulnerabilityCapturedAt !== undefined,
    vulnerabilityIndicatorsCount: financial.vulnerabilityIndicators?.length ?? 0,
    waterfallSteps: waterfall?.steps.length ?? 0,
    finalOutcome: caseOutcome?.kind ?? null,
    durations: durations(records),
  }
  return { ...summary, anomalies: anomalies(state, summary) }
}

function durations(records: readonly LogRecord[]): ComplianceSummary['durations'] {
  const [first, last] = [records[0], records.at(-1)]
  const submitted = records.find(({ type }) => type === 'submit_application')
  const consented = records.findLast(
    ({ type, seq, data }) =>
      type === 'capture_consent' &&
      textOf(data, 'consentType') === 'credit_search' &&
      seq < (submitted?.seq ?? 0),
  )
  return {
    sessionMs: first && last ? last.ts - first.ts : null,
    fromConsentToSubmissionMs: consented && submitted ? submitted.ts - consented.ts : null,
  }
}

function anomalies(
  state: CaseState,
  summary: Omit<ComplianceSummary, 'anomalies'>,
): readonly Anomaly[] {
  const { fromConsentToSubmissionMs } = summary.durations
  const found: readonly (readonly [Anomaly, boolean])[] = [
    ['vulnerability_not_probed', state.waterfall !== undefined && !summary.vulnerabilityProbed],
    [
      'selected_with_unacknowledged_disclosure',
      state.selectedOfferId !== undefined && !summary.allDisclosuresAcknowledged,
    ],
    [
      'hasty_submission',
      fromConsentToSubmissionMs !== null && fromConsentToSubmissionMs < HASTE_MS,
    ],
    ['declined_without_steps', state.status === 'declined' && summary.waterfallSteps === 0],
  ]
  return found.filter(([, is]) => is).map(([name]) => name)
}
