import type { LogRecord } from 'throughline/client'
import type { PageEntry, Turns } from '../../kit/index.ts'
import type { InstallerCase } from '../case/case-view.ts'
import { Checklist } from './checklist.tsx'
import { CustomerLink } from './customer-link.tsx'
import { isTerminal } from '../case/state.ts'
import { FactList } from './fact-list.tsx'
import { factsOf } from './facts.ts'
import styles from './installer.module.css'
import { Progress } from './progress.tsx'
import { WORDS } from './words.ts'

/** Facts that the link does not need. */
const MORE: readonly string[] = [
  'retailerName',
  'netLoanAmount',
  'systemKwp',
  'batteryKwh',
  'lastName',
]

export interface FactsPaneProps {
  readonly entry: PageEntry
  readonly view: InstallerCase
  readonly records: readonly LogRecord[]
  readonly turns: Turns
}

export function FactsPane({ entry, view, records, turns }: FactsPaneProps) {
  const { project, customer } = factsOf(view, records)
  const isEditable = view.status === 'intake' || view.status === 'awaiting_customer'
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={WORDS.facts}>
      {view.status !== 'intake' && (
        <p className={styles.hint}>{isTerminal(view.status) ? WORDS.ended : WORDS.privacy}</p>
      )}
      <CustomerLink entry={entry} view={view} turns={turns} />
      {isEditable ? (
        <>
          <Checklist facts={[...project, ...customer]} turns={turns} />
          <FactList
            title={WORDS.more}
            facts={[...project, ...customer].filter(({ name }) => MORE.includes(name))}
          />
        </>
      ) : (
        <Progress view={view} records={records} />
      )}
    </div>
  )
}
