import type { ConsentRecord } from '../broker/case/state.ts'
import { SummaryList, dateTime } from '../kit/index.ts'
import { FileSection } from './file-section.tsx'
import { FoundRecord } from './found-record.tsx'
import type { Records } from './found-record.tsx'
import styles from './studio.module.css'
import { WORDS } from './words.ts'

const WORDED = WORDS.consents

export interface ConsentsSectionProps {
  readonly consents: readonly ConsentRecord[]
  readonly records: Records
}

export function ConsentsSection({ consents, records }: ConsentsSectionProps) {
  return (
    <FileSection title={WORDED.title(consents.length)} wanted="closed">
      {() =>
        consents.length === 0 ? (
          <p>{WORDS.file.none}</p>
        ) : (
          <ul className={styles.items}>
            {consents.map(({ type, granted, capturedAt, bound }) => (
              <li key={type} className={styles.item}>
                <h3>{WORDED.types[type]}</h3>
                <SummaryList
                  rows={[
                    { name: WORDED.decision, value: granted ? WORDED.granted : WORDED.refused },
                    { name: WORDED.at, value: dateTime(Date.parse(capturedAt)) },
                    {
                      name: WORDS.disclosures.bound,
                      value: WORDS.disclosures.isBound(bound),
                    },
                    {
                      name: WORDS.file.record,
                      value: (
                        <FoundRecord
                          records={records}
                          type="capture_consent"
                          members={{ consentType: type }}
                        />
                      ),
                    },
                  ]}
                />
              </li>
            ))}
          </ul>
        )
      }
    </FileSection>
  )
}
