import type { LogRecord, Origin } from 'throughline/log'
import { time } from '../../kit/index.ts'
import styles from './customer.module.css'
import { WORDS } from './words.ts'

export interface RecordedLineProps {
  readonly domainRecords: readonly LogRecord[]
}

/** Says what the server has recorded of the customer's own clicks, and nothing before it has. */
export function RecordedLine({ domainRecords }: RecordedLineProps) {
  // An installer's form records too, and some of it under the same names.
  const isOwn = ({ source, surface }: Origin) => source === 'ui' && surface === 'customer'
  const latest = domainRecords.findLast(({ type, origin }) => isOwn(origin) && said(type))
  return (
    <p className={styles.status} role="status">
      {latest && WORDS.status.recorded(said(latest.type) ?? '', time(latest.ts))}
    </p>
  )
}

function said(type: string): string | undefined {
  return Object.entries(WORDS.recorded).find(([name]) => name === type)?.[1]
}
