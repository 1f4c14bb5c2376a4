import type { RunNode } from 'throughline/client'
import { VisuallyHidden, duration, useNow } from '../../kit/index.ts'
import styles from './run.module.css'
import { WORDS } from './words.ts'

/** Shows the working time of a run; it counts while the run works. */
export function Elapsed({ run: { state, workedMs } }: { readonly run: RunNode }) {
  return (
    <span className={styles.elapsed}>
      <VisuallyHidden>{WORDS.elapsed} </VisuallyHidden>
      {state.status === 'working' ? (
        <Counting since={state.since - workedMs} />
      ) : (
        duration(workedMs)
      )}
    </span>
  )
}

function Counting({ since }: { readonly since: number }) {
  const now = useNow()
  // The server's clock may be ahead of this one.
  return duration(Math.max(0, now - since))
}
