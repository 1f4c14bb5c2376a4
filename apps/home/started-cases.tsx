import { Button, Card, VisuallyHidden, dateTime } from '../kit/index.ts'
import { linksOf, withDemoBar } from './case-links.ts'
import styles from './home.module.css'
import type { KeptCase } from './kept-cases.ts'
import { WORDS } from './words.ts'

export interface StartedCasesProps {
  readonly cases: readonly KeptCase[]
  readonly onForget: (sessionId: string) => void
}

/** The way back to what was started here, for whoever closed a page or went back from it. */
export function StartedCases({ cases, onForget }: StartedCasesProps) {
  if (cases.length === 0) return null
  return (
    <Card title={WORDS.cases.title}>
      <p>{WORDS.cases.text}</p>
      <ul className={styles.cases}>
        {cases.map((kept) => (
          <StartedCase key={kept.sessionId} kept={kept} onForget={() => onForget(kept.sessionId)} />
        ))}
      </ul>
    </Card>
  )
}

function StartedCase({
  kept,
  onForget,
}: {
  readonly kept: KeptCase
  readonly onForget: () => void
}) {
  const when = dateTime(kept.startedAt)
  const { installer, customer, audit } = linksOf(kept.sessionId)
  const links = [
    [installer, WORDS.cases.installer],
    [customer, WORDS.cases.customer],
    [withDemoBar(customer), WORDS.cases.demo],
    [audit, WORDS.cases.audit],
  ] as const
  return (
    <li className={styles.case}>
      <div className={styles.head}>
        <h3>{WORDS.cases.started(when)}</h3>
        <Button look="quiet" onClick={onForget}>
          {WORDS.cases.forget} <VisuallyHidden>{when}</VisuallyHidden>
        </Button>
      </div>
      <ul className={styles.pages}>
        {links.map(([href, text]) => (
          <li key={text}>
            <a className={styles.link} href={href}>
              {text} <VisuallyHidden>{when}</VisuallyHidden>
            </a>
          </li>
        ))}
      </ul>
    </li>
  )
}
