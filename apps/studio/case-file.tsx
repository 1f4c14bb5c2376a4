import { consentAnswers } from '../broker/audit/consent-answers.ts'
import type { Told } from '../broker/audit/story.ts'
import type { AuditQuery } from './audit-query.ts'
import { ComplianceSection } from './compliance-section.tsx'
import { ConsentsSection } from './consents-section.tsx'
import { DisclosuresSection } from './disclosures-section.tsx'
import { FailedAnswer } from './failed-answer.tsx'
import { FileSection } from './file-section.tsx'
import { LendersSection } from './lenders-section.tsx'
import { ReplaySection } from './replay-section.tsx'
import { StatePane } from './state-pane.tsx'
import file from './case-file.module.css'
import styles from './studio.module.css'
import { TranscriptSection } from './transcript-section.tsx'
import type { CaseFileAnswer } from './use-case-file.ts'
import { WORDS } from './words.ts'

export interface CaseFileProps {
  readonly thread: string
  /** The latest record. */
  readonly head: number
  readonly answer: CaseFileAnswer
  readonly story: readonly Told[]
  readonly query: AuditQuery
  readonly onAsk: (change: Partial<AuditQuery>) => void
  readonly onSelect: (seq: number) => void
}

/** The outcome and conduct of a case, part by part. */
export function CaseFile(props: CaseFileProps) {
  const { thread, head, answer, story, query, onAsk, onSelect } = props
  const { ev, sides } = query
  const records = { all: story.map(({ record }) => record), onSelect }
  return (
    <section
      className={`${styles.file} ${styles.pane}`}
      aria-label={WORDS.file.label}
      tabIndex={0}
      data-pane-part="file"
    >
      {answer.status === 'asking' && <p role="status">{WORDS.file.loading}</p>}
      {answer.status === 'failed' && (
        <div className={file.partBody}>
          <FailedAnswer onAgain={answer.again}>{WORDS.file.failed}</FailedAnswer>
        </div>
      )}
      {answer.status === 'answered' && (
        <>
          <ComplianceSection compliance={answer.file.compliance} onSelect={onSelect} />
          <DisclosuresSection disclosures={answer.file.state.disclosures} records={records} />
          <ConsentsSection answers={consentAnswers(story)} onSelect={onSelect} />
          <LendersSection state={answer.file.state} />
        </>
      )}
      <TranscriptSection story={story} sides={sides} onSelect={onSelect} />
      <FileSection title={WORDS.state.title} wanted={ev === undefined ? 'closed' : 'open'}>
        {() => (
          <StatePane
            thread={thread}
            head={head}
            at={ev}
            onFollow={() => onAsk({ ev: undefined })}
          />
        )}
      </FileSection>
      {answer.status === 'answered' && <ReplaySection thread={thread} />}
    </section>
  )
}
