import { useContext } from 'react'
import { ChangePane } from './change-pane.tsx'
import type { PaneProps } from './description.ts'
import { StatePane } from './state-pane.tsx'
import { sentenceCase } from './story/index.ts'
import styles from './studio.module.css'
import { ThreadContext } from './thread-context.ts'
import { TranscriptPane } from './transcript-pane.tsx'
import { WORDS } from './words.ts'

/** The panes of a thread whose application describes none. */
const PANES = [TranscriptPane, StatePane]

/** Shows what the selected record changed, and the parts of the whole thread, such as its transcript. */
export function FilePane(props: PaneProps) {
  const { thread, reveal, query, onSelect } = props
  const { panes = PANES, fileName = WORDS.file.name } = useContext(ThreadContext).description
  return (
    <section
      className={`${styles.file} ${styles.pane}`}
      aria-label={sentenceCase(fileName)}
      tabIndex={0}
      data-pane-part="file"
    >
      {query.ev !== undefined && (
        <ChangePane
          key={query.ev}
          thread={thread}
          seq={query.ev}
          reveal={reveal}
          onSelect={onSelect}
        />
      )}
      {panes.map((Part, at) => (
        <Part key={at} {...props} />
      ))}
    </section>
  )
}
