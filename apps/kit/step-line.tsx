import styles from './step-line.module.css'
import { WORDS } from './words.ts'

export interface StepLineProps {
  /** The name of this step. */
  readonly name: string
  /** Counted from 1. */
  readonly step: number
  readonly of: number
  /** The state of the step, such as `answered`. */
  readonly state?: string
}

/** Shows the current step of a journey: its name, its number and a line with a knot for each step. */
export function StepLine({ name, step, of, state }: StepLineProps) {
  return (
    <div className={styles.where}>
      <p className={styles.words}>
        <b className={styles.name}>{name}</b>
        <span>
          {WORDS.step(step, of)}
          {state !== undefined && `, ${state}`}
        </span>
      </p>
      <div className={styles.path} aria-hidden="true">
        {Array.from({ length: of }, (_, index) => (
          <span key={index} className={`${styles.part} ${styles[statusOf(index + 1, step)]}`} />
        ))}
      </div>
    </div>
  )
}

function statusOf(part: number, step: number): 'done' | 'now' | 'later' {
  if (part === step) return 'now'
  return part < step ? 'done' : 'later'
}
