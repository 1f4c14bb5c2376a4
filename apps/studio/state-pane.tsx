import { useContext, useEffect, useRef } from 'react'
import { membersOf, textOf } from 'throughline/client'
import { Button, threadUrl } from '../kit/index.ts'
import type { PaneProps } from './description.ts'
import { FailedAnswer } from './failed-answer.tsx'
import { FileSection } from './file-section.tsx'
import { HashText } from './hash-text.tsx'
import styles from './record.module.css'
import { ThreadContext } from './thread-context.ts'
import { useAnswer } from './use-answer.ts'
import { WORDS } from './words.ts'

export interface StatePaneProps extends PaneProps {
  readonly title?: string
}

/** The state after the selected record; without one, the latest. */
export function StatePane({ title = WORDS.state.title, ...shown }: StatePaneProps) {
  const { thread, head, query, onAsk } = shown
  return (
    <FileSection title={title} wanted={query.ev === undefined ? 'closed' : 'open'}>
      {() => (
        <StateAt
          thread={thread}
          head={head}
          at={query.ev}
          onFollow={() => onAsk({ ev: undefined })}
        />
      )}
    </FileSection>
  )
}

interface StateAtProps {
  readonly thread: string
  readonly head: number
  /** The record after which the state is shown; without one, the latest. */
  readonly at: number | undefined
  readonly onFollow: () => void
}

function StateAt({ thread, head, at, onFollow }: StateAtProps) {
  const query = at === undefined ? '' : `?at=${at}`
  const version = at === undefined ? `${head}` : 'fixed'
  const { reveal } = useContext(ThreadContext)
  const url = `${threadUrl(thread)}/state${query}`
  const answer = useAnswer(url, { version, reveal })
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
            <HashText>{textOf(answer.value, 'hash')}</HashText>
          </p>
          <pre className={styles.json}>
            {JSON.stringify(membersOf(answer.value)['state'], null, 2)}
          </pre>
        </>
      )}
    </>
  )
}
