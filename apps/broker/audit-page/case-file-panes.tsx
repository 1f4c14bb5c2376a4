import { consentAnswers } from '../audit/consent-answers.ts'
import { FailedAnswer, StatePane } from '../../studio/index.ts'
import type { PaneProps } from '../../studio/index.ts'
import { caseFileIn } from './case-file.ts'
import { ComplianceSection } from './compliance-section.tsx'
import { ConsentsSection } from './consents-section.tsx'
import { DisclosuresSection } from './disclosures-section.tsx'
import { LendersSection } from './lenders-section.tsx'
import { ReplaySection } from './replay-section.tsx'
import styles from './panes.module.css'
import { WORDS } from './words.ts'

/** The outcome and conduct of a case. */
export function CaseFilePane({ file, story, onSelect }: PaneProps) {
  if (file.status === 'asking') return <p role="status">{WORDS.file.loading}</p>
  if (file.status === 'failed') {
    return (
      <div className={styles.failed}>
        <FailedAnswer onAgain={file.again}>{WORDS.file.failed}</FailedAnswer>
      </div>
    )
  }
  const known = caseFileIn(file)
  if (!known) return null
  const records = { all: story.map(({ record }) => record), onSelect }
  return (
    <>
      <ComplianceSection compliance={known.compliance} onSelect={onSelect} />
      <DisclosuresSection disclosures={known.state.disclosures} records={records} />
      <ConsentsSection answers={consentAnswers(story)} onSelect={onSelect} />
      <LendersSection state={known.state} />
    </>
  )
}

export function CaseStatePane(props: PaneProps) {
  return <StatePane {...props} title={WORDS.state} />
}

export function CaseReplayPane({ file, thread, reveal }: PaneProps) {
  if (file.status !== 'answered') return null
  return <ReplaySection key={reveal} thread={thread} reveal={reveal} />
}
