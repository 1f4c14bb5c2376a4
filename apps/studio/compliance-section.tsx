import type { ComplianceSummary } from '../broker/audit/compliance.ts'
import { SummaryList, duration } from '../kit/index.ts'
import { FileSection } from './file-section.tsx'
import styles from './studio.module.css'
import { WORDS } from './words.ts'

const WORDED = WORDS.compliance

export function ComplianceSection({ compliance }: { readonly compliance: ComplianceSummary }) {
  const { anomalies } = compliance
  return (
    <FileSection title={WORDED.title} wanted="open">
      {() => (
        <>
          {anomalies.length === 0 ? (
            <p className={`${styles.badge} ${styles.ok}`}>
              <span aria-hidden="true">✓</span>
              {WORDED.noAnomaly}
            </p>
          ) : (
            <section>
              <h3>{WORDED.anomalies}</h3>
              <ul className={styles.anomalies}>
                {anomalies.map((name) => (
                  <li key={name}>{WORDED.anomaly[name]}</li>
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

function rowsOf(compliance: ComplianceSummary) {
  const { disclosuresPresentedCount: shown, disclosuresAcknowledgedCount: read } = compliance
  const { consentsCount, explicitConsents, finalOutcome, durations } = compliance
  return [
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
