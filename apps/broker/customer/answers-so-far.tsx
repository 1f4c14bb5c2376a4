import { useId } from 'react'
import { SummaryList } from '../../kit/index.ts'
import type { ChangeAnswer } from './answers.ts'
import { answersSoFar } from './answers.ts'
import type { CaseView } from './case-view.ts'
import styles from './customer.module.css'
import { WORDS } from './words.ts'

export interface AnswersSoFarProps {
  readonly view: CaseView
  readonly onChange: ChangeAnswer
}

/** What finished cards collapse to, below the open one: the transcript stays beside that. */
export function AnswersSoFar({ view, onChange }: AnswersSoFarProps) {
  const headingId = useId()
  const rows = answersSoFar(view, onChange)
  if (rows.length === 0) return null
  return (
    <section className={styles.answers} aria-labelledby={headingId}>
      <h2 id={headingId}>{WORDS.answers}</h2>
      <SummaryList rows={rows} />
    </section>
  )
}
