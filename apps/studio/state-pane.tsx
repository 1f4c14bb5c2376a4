import { useEffect, useRef } from 'react'
import { membersOf, textOf } from 'throughline/agui'
import { Button } from '../kit/index.ts'
import styles from './studio.module.css'
import { useAnswer } from './use-answer.ts'
import { WORDS } from './words.ts'

export interface StatePaneProps {
  readonly thread: string
  readonly head: number
  /** The record after which the state is shown; without one, the latest. */
  readonly at: number | undefined
  readonly onFollow: () => void
}

export function StatePane({ thread, head, at, onFollow }: StatePaneProps) {
  const query = at === undefined ? '' : `?at=${at}`
  const version = at === undefined ? `${head}` : 'fixed'
  const answer = useAnswer(`/api/threads/${encodeURIComponent(thread)}/state${query}`, version)
  const pane = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a narrow page it stands below all records.
    if (at !== undefined) pane.current?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <section
      ref={pane}
      className={`${styles.state} ${styles.pane}`}
      aria-label={WORDS.state}
      // It scrolls, so that it has to be reached by keyboard.
      tabIndex={0}
    >
      <h2>{at === undefined ? WORDS.stateNow : WORDS.stateAt(at)}</h2>
      {at !== undefined && (
        <Button look="secondary" onClick={onFollow}>
          {WORDS.follow}
        </Button>
      )}
      {answer.status === 'asking' && <p role="status">{WORDS.stateLoading}</p>}
      {answer.status === 'failed' && <p role="alert">{WORDS.stateFailed}</p>}
      {answer.status === 'answered' && (
        <>
          <p className={styles.id}>{textOf(answer.value, 'hash')}</p>
          <pre className={styles.json}>
            {JSON.stringify(membersOf(answer.value)['state'], null, 2)}
          </pre>
        </>
      )}
    </section>
  )
}
