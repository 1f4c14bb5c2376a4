import { Timeline } from '../../kit/index.ts'
import { SHELL_WORDS } from './shell-words.ts'
import { STEP_NAMES } from './steps.ts'
import styles from './steps-rail.module.css'

/** The eight steps at the side of a wide window. */
export function StepsRail({ step }: { readonly step: number }) {
  return (
    <nav className={styles.rail} aria-label={SHELL_WORDS.steps.list}>
      <Timeline
        items={STEP_NAMES.map((title, index) => {
          return { key: title, title, status: standing(index + 1, step) }
        })}
      />
    </nav>
  )
}

/** Returns the order of a step relative to the shown one. */
function standing(step: number, shown: number): 'done' | 'now' | 'later' {
  if (step === shown) return 'now'
  return step < shown ? 'done' : 'later'
}
