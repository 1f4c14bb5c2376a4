import { membersOf, textOf } from 'throughline'
import type { Json, LogRecord } from 'throughline'
import type { CaseOutcomeKind, CaseState } from '../case/state.ts'
import { recoveredFacts } from './recovered.ts'
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
  /** `null` for a reader who does not see personal data. */
  readonly vulnerabilityIndicatorsCount: number | null
  readonly waterfallSteps: number
  readonly finalOutcome: CaseOutcomeKind | null
  /** One person plays both sides, so one browser on both is no anomaly. */
  readonly demonstration: boolean
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
    demonstration: records.some(opensDemonstration),
    durations: durations(records.flatMap(momentsOf)),
  }
  return { ...summary, anomalies: anomalies(state, records, summary) }
}

function opensDemonstration({ type, data }: LogRecord): boolean {
  const opens = type === 'case_created' || type === 'case_hydrated'
  return opens && membersOf(data)['demonstration'] === true
}

/** Something that happened, as far as durations need to know. */
interface Moment {
  readonly type: string
  readonly data: Json
  readonly ts: number
}

/** A hydration counts as the moments that its seed holds. */
function momentsOf(record: LogRecord): readonly Moment[] {
  if (record.type !== 'case_hydrated') return [record]
  const facts = recoveredFacts(record).map(({ at, ...fact }) => ({ ...fact, ts: Date.parse(at) }))
  return [...facts, record]
}

const OF_THE_AUDIT: readonly string[] = ['link_opened', 'reveal_personal_data']

function durations(moments: readonly Moment[]): ComplianceSummary['durations'] {
  // Records of an audit do not lengthen the journey. A hydration restates older messages after
  // itself, so the last record is not always the latest.
  const journey = moments.filter(({ type }) => !OF_THE_AUDIT.includes(type))
  const latest = journey.reduce((max, { ts }) => Math.max(max, ts), -Infinity)
  const submission = moments.findIndex(({ type }) => type === 'submit_application')
  const submitted = moments[submission]
  const consented = moments
    .slice(0, Math.max(submission, 0))
    .findLast(
      ({ type, data }) =>
        type === 'capture_consent' && textOf(data, 'consentType') === 'credit_search',
    )
  return {
    sessionMs: moments[0] ? latest - moments[0].ts : null,
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
  const shared = summary.demonstration ? [] : sharedBrowsers(records)
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
