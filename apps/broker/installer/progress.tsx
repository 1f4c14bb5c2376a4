import type { LogRecord } from 'throughline/client'
import { Timeline, time } from '../../kit/index.ts'
import type { InstallerCase } from '../case/case-view.ts'
import { isTerminal } from '../case/state.ts'
import styles from './installer.module.css'
import { WORDS } from './words.ts'

export interface ProgressProps {
  readonly view: InstallerCase
  readonly records: readonly LogRecord[]
}

/** Shows the customer's progress, from the types and times of records alone. */
export function Progress({ view, records }: ProgressProps) {
  const words = WORDS.progress
  const timeOf = (...types: readonly string[]) => {
    const record = records.find(({ type }) => types.includes(type))
    return record && time(record.ts)
  }
  const steps = [
    { key: 'link', when: timeOf('generate_customer_link', 'installer_handoff_complete') },
    { key: 'answering', when: timeOf('acknowledge_disclosure', 'record_eligibility') },
    { key: 'lenders', when: timeOf('submit_application') },
    { key: 'finished', when: timeOf('case_complete', 'withdraw', 'case_outcome') },
  ] as const
  const hasEnded = isTerminal(view.status)
  const latest = hasEnded ? steps.length : steps.findLastIndex(({ when }) => when !== undefined)
  return (
    <section className={styles.section} aria-label={words.title}>
      <h2>{words.title}</h2>
      <Timeline
        items={steps
          .filter(({ key, when }) => !hasEnded || when !== undefined || key === 'finished')
          .map(({ key, when }) => {
            const at = steps.findIndex((step) => step.key === key)
            return {
              key,
              title: words.steps[key],
              status: at < latest ? 'done' : at === latest ? 'now' : 'later',
              ...(when !== undefined && { when }),
            }
          })}
      />
    </section>
  )
}
