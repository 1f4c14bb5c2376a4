import type { LogRecord } from 'throughline/log'
import { time } from '../../kit/index.ts'
import styles from './customer.module.css'
import { latestOwnClick, recordedAs } from './own-clicks.ts'
import { WORDS } from './words.ts'

export interface RecordedLineProps {
  readonly domainRecords: readonly LogRecord[]
}

/** Says what the server has recorded of the customer's own clicks, and nothing before it has. */
export function RecordedLine({ domainRecords }: RecordedLineProps) {
  const latest = latestOwnClick(domainRecords)
  return (
    <p className={styles.status} role="status">
      {latest && WORDS.status.recorded(recordedAs(latest.type) ?? '', time(latest.ts))}
    </p>
  )
}
