import type { LogRecord } from 'throughline/client'
import { StatusLine, time } from '../../kit/index.ts'
import type { CaseView } from './case-view.ts'
import { latestOwnClick, recordedAs } from './own-clicks.ts'
import styles from './recorded-line.module.css'
import { SHELL_WORDS } from './shell-words.ts'

export interface RecordedLineProps {
  readonly domainRecords: readonly LogRecord[]
  readonly view: CaseView
}

/** Says what the server has recorded of the customer's own clicks, and nothing before it has. */
export function RecordedLine({ domainRecords, view }: RecordedLineProps) {
  const latest = latestOwnClick(domainRecords)
  const what = latest && recordedAs(latest, view)
  return (
    <div className={styles.place}>
      <StatusLine>
        {latest && what !== undefined && SHELL_WORDS.saved(what, time(latest.ts))}
      </StatusLine>
    </div>
  )
}
