import { useEffect, useState } from 'react'
import type { RunNode } from 'throughline/client'
import { VisuallyHidden, duration } from '../../kit/index.ts'
import styles from './run.module.css'
import { WORDS } from './words.ts'

const TICK_MS = 1_000

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
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  // The server's clock may be ahead of this one.
  return duration(Math.max(0, now - since))
}
