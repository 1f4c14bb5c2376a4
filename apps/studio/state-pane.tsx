import { useEffect, useRef } from 'react'
import { membersOf, textOf } from 'throughline/json'
import { Button } from '../kit/index.ts'
import { FailedAnswer } from './failed-answer.tsx'
import styles from './record.module.css'
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
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The other parts of the case file may stand before it.
    if (at !== undefined) heading.current?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <>
      <h3 ref={heading}>{at === undefined ? WORDS.state.now : WORDS.state.at(at)}</h3>
      {at !== undefined && (
        <div>
          <Button look="quiet" onClick={onFollow}>
            {WORDS.state.follow}
          </Button>
        </div>
      )}
      {answer.status === 'asking' && <p role="status">{WORDS.state.loading}</p>}
      {answer.status === 'failed' && (
        <FailedAnswer onAgain={answer.again}>{WORDS.state.failed}</FailedAnswer>
      )}
      {answer.status === 'answered' && (
        <>
          <p>
            {WORDS.state.hash}
            <code className={styles.hash}>{textOf(answer.value, 'hash')}</code>
          </p>
          <pre className={styles.json}>
            {JSON.stringify(membersOf(answer.value)['state'], null, 2)}
          </pre>
        </>
      )}
    </>
  )
}
