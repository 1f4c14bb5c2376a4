import { textOf } from 'throughline/agui'
import type { LogRecord } from 'throughline/log'
import type { CaseOutcomeKind, CaseState } from '../case/state.ts'
import { sharedBrowsers } from './shared-browsers.ts'
import { unboundEvidence } from './unbound-evidence.ts'

/** A consent this soon before its submission was hardly read, in milliseconds. */
const HASTE_MS = 30_000

export type AnomalyCode =
  | 'vulnerability_not_probed'
  | 'selected_with_unacknowledged_disclosure'
  | 'hasty_submission'
  | 'declined_without_steps'
  | 'unbound_evidence'
  | 'shared_browser'

export interface Anomaly {
  readonly code: AnomalyCode
  /** The positions of the records that show it. */
  readonly records: readonly number[]
}

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
  return { ...summary, anomalies: anomalies(state, records, summary) }
}

function durations(records: readonly LogRecord[]): ComplianceSummary['durations'] {
  // An auditor who opens the case makes its journey no longer.
  const [first, last] = [records[0], records.findLast(({ type }) => type !== 'link_opened')]
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
  records: readonly LogRecord[],
  summary: Omit<ComplianceSummary, 'anomalies'>,
): readonly Anomaly[] {
  const { fromConsentToSubmissionMs: haste } = summary.durations
  const unbound = unboundEvidence(records)
  const shared = sharedBrowsers(records)
  const seqsOf = (type: string) =>
    records.filter((record) => record.type === type).map(({ seq }) => seq)
  const found: readonly (readonly [AnomalyCode, boolean, readonly number[]])[] = [
    [
      'vulnerability_not_probed',
      state.waterfall !== undefined && !summary.vulnerabilityProbed,
      seqsOf('submit_application'),
    ],
    [
      'selected_with_unacknowledged_disclosure',
      state.selectedOfferId !== undefined && !summary.allDisclosuresAcknowledged,
      seqsOf('select_offer'),
    ],
    ['hasty_submission', haste !== null && haste < HASTE_MS, seqsOf('submit_application')],
    [
      'declined_without_steps',
      state.status === 'declined' && summary.waterfallSteps === 0,
      seqsOf('waterfall_recorded'),
    ],
    ['unbound_evidence', unbound.length > 0, unbound],
    ['shared_browser', shared.length > 0, shared],
  ]
  return found.filter(([, is]) => is).map(([code, , seqs]) => ({ code, records: seqs }))
}
