import { Hand } from 'lucide'
import type { ReactNode } from 'react'
import { useId } from 'react'
import type { Actor } from './actor-mark.tsx'
import { ActorMark } from './actor-mark.tsx'
import styles from './approval.module.css'
import { Button, ButtonRow } from './button.tsx'
import type { Readiness } from './button.tsx'
import { Disclosure } from './disclosure.tsx'
import { Icon } from './icon.tsx'
import type { SummaryRow } from './summary-list.tsx'
import { SummaryList } from './summary-list.tsx'
import { WORDS } from './words.ts'

export interface ApprovalProps {
  /** A question that names the amount: `Refund £89.00?` */
  readonly question: string
  /** The agent that asks, and what holds until a person has agreed. */
  readonly asks?: { readonly by: Actor; readonly text: string }
  readonly facts: readonly SummaryRow[]
  /** The rules and facts for which a person must agree. */
  readonly reasons: readonly { readonly key: string; readonly by: Actor; readonly text: string }[]
  readonly no: string
  /** Absent where a person can only say no. */
  readonly yes?: string
  readonly readiness?: Readiness
  readonly onAnswer: (answer: 'no' | 'yes') => void
  /** The request as it was made, folded. */
  readonly json?: string
  /** Stands before the answers, such as a field for a reason. */
  readonly children?: ReactNode
}

/** Something that an agent may do only if a person agrees. Yes and no weigh the same. */
export function Approval(props: ApprovalProps) {
  const { question, asks, facts, reasons, no, yes, readiness = 'ready' } = props
  const { onAnswer, json, children } = props
  const heading = useId()
  return (
    <section className={styles.approval} aria-labelledby={heading}>
      <p className={styles.head}>
        <Icon shape={Hand} /> {WORDS.approval.head}
      </p>
      <div className={styles.body}>
        <h3 id={heading} className={styles.question}>
          {question}
        </h3>
        {asks && (
          <p className={styles.asks}>
            <ActorMark actor={asks.by} />
            <span>{asks.text}</span>
          </p>
        )}
        {facts.length > 0 && <SummaryList rows={facts} />}
        {reasons.length > 0 && (
          <div className={styles.why}>
            <h4 className={styles.title}>{WORDS.approval.why}</h4>
            <ul className={styles.reasons}>
              {reasons.map(({ key, by, text }) => (
                <li key={key} className={styles.reason}>
                  <ActorMark actor={by} />
                  <span>{text}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
        {children}
        <ButtonRow>
          <Button look="equal" readiness={readiness} onClick={() => onAnswer('no')}>
            {no}
          </Button>
          {yes !== undefined && (
            <Button look="equal" readiness={readiness} onClick={() => onAnswer('yes')}>
              {yes}
            </Button>
          )}
        </ButtonRow>
        {json !== undefined && (
          <Disclosure summary={WORDS.approval.request}>
            {() => (
              <pre className={styles.json} tabIndex={0}>
                {json}
              </pre>
            )}
          </Disclosure>
        )}
      </div>
    </section>
  )
}
