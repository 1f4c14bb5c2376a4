import type { Usage, UsageReport } from 'throughline/client'
import { Disclosure, number } from '../../kit/index.ts'
import runStyles from './run.module.css'
import styles from './usage.module.css'
import { UsageTable } from './usage-table.tsx'
import { WORDS } from './words.ts'

const USAGE = WORDS.usage
/** Agents that have a bar; the table has all. */
const BARS_MAX = 5

/** Shows the agents with the highest usage of model calls. The table opens below. */
export function UsageSummary({ usage }: { readonly usage: UsageReport }) {
  const { total, byAgent } = usage
  const most = Object.entries(byAgent)
    .map(([agent, used]) => ({
      agent: agent === '' ? USAGE.unnamed : agent,
      tokens: tokensOf(used),
    }))
    .toSorted((one, other) => other.tokens - one.tokens)
  const highest = Math.max(1, ...most.map(({ tokens }) => tokens))
  return (
    <section className={styles.usage} aria-labelledby="usage-heading">
      <div className={styles.head}>
        <h2 id="usage-heading">{USAGE.heading}</h2>
        {total.calls > 0 && (
          <span className={runStyles.note}>
            {USAGE.summary(total.calls, number(tokensOf(total)))}
          </span>
        )}
      </div>
      {total.calls === 0 ? (
        <p className={runStyles.note}>{USAGE.empty}</p>
      ) : (
        <>
          <ul className={styles.bars}>
            {most.slice(0, BARS_MAX).map(({ agent, tokens }) => (
              <li key={agent} className={styles.barRow}>
                <span className={styles.barName}>{agent}</span>
                <span className={styles.track} aria-hidden="true">
                  <span className={styles.bar} style={{ width: `${(tokens / highest) * 100}%` }} />
                </span>
                <span className={styles.figure}>{number(tokens)}</span>
              </li>
            ))}
          </ul>
          {most.length > BARS_MAX && (
            <p className={runStyles.note}>{USAGE.more(most.length - BARS_MAX)}</p>
          )}
          <Disclosure summary={USAGE.table}>
            {() => (
              <>
                <p id="usage-caption" className={runStyles.note}>
                  {USAGE.caption}
                </p>
                <UsageTable usage={usage} describedBy="usage-caption" />
              </>
            )}
          </Disclosure>
        </>
      )}
    </section>
  )
}

function tokensOf({ inputTokens = 0, outputTokens = 0 }: Usage): number {
  return inputTokens + outputTokens
}
