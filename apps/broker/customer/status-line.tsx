import type { LogRecord } from 'throughline/log'
import type { Turns } from '../../kit/index.ts'
import { time } from '../../kit/index.ts'
import styles from './customer.module.css'
import { WORDS } from './words.ts'

export interface StatusLineProps {
  readonly turns: Turns
  readonly domainRecords: readonly LogRecord[]
}

/** Says what the server has recorded of the customer's own clicks, and nothing before it has. */
export function StatusLine({ turns, domainRecords }: StatusLineProps) {
  return (
    <p className={styles.status} role="status">
      {statusOf(turns, domainRecords)}
    </p>
  )
}

function statusOf({ sending }: Turns, domainRecords: readonly LogRecord[]): string {
  if (sending.status === 'sending') {
    const { body } = sending
    const isClick = typeof body === 'object' && body !== null && 'directEvents' in body
    return isClick ? WORDS.status.recording : WORDS.status.writing
  }
  const latest = domainRecords.findLast(({ type, origin }) => origin.source === 'ui' && said(type))
  return latest ? WORDS.status.recorded(said(latest.type) ?? '', time(latest.ts)) : ''
}

function said(type: string): string | undefined {
  return Object.entries(WORDS.recorded).find(([name]) => name === type)?.[1]
}
