import { dateTime } from '../kit/index.ts'
import type { RecoveredTelling } from './story/index.ts'
import styles from './record.module.css'

/** Shows the facts of a recovery seed with their original times. */
export function RecoveredFacts({ facts }: { readonly facts: readonly RecoveredTelling[] }) {
  if (facts.length === 0) return null
  return (
    <ul className={styles.recovered}>
      {facts.map(({ ts, kind, summary }) => (
        <li key={`${ts} ${kind} ${summary}`}>
          <time dateTime={ts}>{dateTime(Date.parse(ts))}</time> {summary}
        </li>
      ))}
    </ul>
  )
}
