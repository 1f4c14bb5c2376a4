import { Button, Card } from '../../kit/index.ts'
import type { CaseView } from './case-view.ts'
import { isNothingSubmitted } from './case-view.ts'
import styles from './customer.module.css'
import { WORDS } from './words.ts'

export interface LeftCardProps {
  readonly view: CaseView
  readonly onCarryOn: () => void
}

/** Stands alone on the page while the customer is away; a reload carries on as its button does. */
export function LeftCard({ view, onCarryOn }: LeftCardProps) {
  return (
    <main className={styles.content}>
      <Card title={WORDS.left.title}>
        <p>{isNothingSubmitted(view) ? WORDS.nothingSubmitted : WORDS.left.submitted}</p>
        <p>{WORDS.left.text}</p>
        <Button onClick={onCarryOn}>{WORDS.left.carryOn}</Button>
      </Card>
    </main>
  )
}
