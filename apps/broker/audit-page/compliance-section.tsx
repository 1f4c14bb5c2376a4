import type { Anomaly, ComplianceSummary } from '../audit/compliance.ts'
import { SummaryList, duration } from '../../kit/index.ts'
import { FileSection, RecordLink, Verdict } from '../../studio/index.ts'
import styles from './panes.module.css'
import { WORDS } from './words.ts'

const WORDED = WORDS.compliance

/** Records that one anomaly links to; the API names them all. */
const RECORDS_LINKED_MAX = 8

export interface ComplianceSectionProps {
  readonly compliance: ComplianceSummary
  readonly onSelect: (seq: number) => void
}

export function ComplianceSection(props: ComplianceSectionProps) {
  const { compliance, onSelect } = props
  const { anomalies } = compliance
  return (
    <FileSection title={WORDED.title} wanted="open">
      {() => (
        <>
          {anomalies.length === 0 ? (
            <p>
              <Verdict look="ok" sign="✓">
                {WORDED.noAnomaly}
              </Verdict>
            </p>
          ) : (
            <section>
              <h3>{WORDED.anomalies}</h3>
              <ul className={styles.anomalies}>
                {anomalies.map((anomaly) => (
                  <li key={anomaly.code}>
                    <p>{WORDED.anomaly[anomaly.code]}</p>
                    <AnomalyRecords anomaly={anomaly} onSelect={onSelect} />
                  </li>
                ))}
              </ul>
            </section>
          )}
          <SummaryList rows={rowsOf(compliance)} />
        </>
      )}
    </FileSection>
  )
}

interface AnomalyRecordsProps {
  readonly anomaly: Anomaly
  readonly onSelect: (seq: number) => void
}

function AnomalyRecords({ anomaly: { records }, onSelect }: AnomalyRecordsProps) {
  const more = records.length - RECORDS_LINKED_MAX
  return (
    <p className={styles.anomalyRecords}>
      {records.slice(0, RECORDS_LINKED_MAX).map((seq) => (
        <RecordLink key={seq} seq={seq} onSelect={onSelect} />
      ))}
      {more > 0 && <span>{WORDED.moreRecords(more)}</span>}
    </p>
  )
}

function rowsOf(compliance: ComplianceSummary) {
  const { disclosuresPresentedCount: shown, disclosuresAcknowledgedCount: read } = compliance
  const { consentsCount, explicitConsents, finalOutcome, durations } = compliance
  const played = compliance.demonstration
    ? [{ name: WORDED.demonstration, value: WORDED.playedByOne }]
    : []
  return [
    ...played,
    { name: WORDED.disclosures, value: WORDED.of(read, shown) },
    {
      name: WORDED.consents,
      value: explicitConsents ? WORDED.explicit(consentsCount) : WORDED.notExplicit(consentsCount),
    },
    {
      name: WORDED.support,
      value: compliance.vulnerabilityProbed
        ? WORDED.asked(compliance.vulnerabilityIndicatorsCount)
        : WORDED.notAsked,
    },
    { name: WORDED.steps, value: `${compliance.waterfallSteps}` },
    {
      name: WORDED.outcome,
      value: finalOutcome === null ? WORDED.open : WORDED.outcomes[finalOutcome],
    },
    { name: WORDED.session, value: lengthOf(durations.sessionMs) },
    { name: WORDED.consentToSubmission, value: lengthOf(durations.fromConsentToSubmissionMs) },
  ]
}

function lengthOf(ms: number | null): string {
  return ms === null ? WORDED.unknown : duration(ms)
}
