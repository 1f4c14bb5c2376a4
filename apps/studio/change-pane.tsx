import { threadUrl } from '../kit/index.ts'
import { useState } from 'react'
import { ChangeLines } from './change-lines.tsx'
import { changesIn } from './changes.ts'
import styles from './changes.module.css'
import type { PaneProps } from './description.ts'
import { FailedAnswer } from './failed-answer.tsx'
import { FileSection } from './file-section.tsx'
import { useAnswer } from './use-answer.ts'
import { ValueHistory } from './value-history.tsx'
import { WORDS } from './words.ts'

export type ChangePaneProps = Pick<PaneProps, 'thread' | 'reveal' | 'onSelect'> & {
  /** The selected record. */
  readonly seq: number
}

/** What the selected record changed in the state, and on request why. */
export function ChangePane(props: ChangePaneProps) {
  return (
    <FileSection title={WORDS.changes.title(props.seq)} wanted="open">
      {() => <ChangesOf {...props} />}
    </FileSection>
  )
}

function ChangesOf({ thread, seq, reveal, onSelect }: ChangePaneProps) {
  const url = `${threadUrl(thread)}/changes?from=${seq}&limit=1`
  const answer = useAnswer(url, { version: 'fixed', reveal })
  const [path, choosePath] = useState<string>()
  if (answer.status === 'asking') return <p role="status">{WORDS.changes.loading}</p>
  if (answer.status === 'failed') {
    return <FailedAnswer onAgain={answer.again}>{WORDS.changes.failed}</FailedAnswer>
  }
  const changes = changesIn(answer.value, seq)
  if (changes.length === 0) return <p>{WORDS.changes.none}</p>
  return (
    <>
      <ChangeLines changes={changes} onPath={choosePath} />
      {path === undefined ? (
        <p className={styles.meta}>{WORDS.changes.hint}</p>
      ) : (
        <ValueHistory
          key={path}
          thread={thread}
          at={seq}
          path={path}
          reveal={reveal}
          onSelect={onSelect}
        />
      )}
    </>
  )
}
