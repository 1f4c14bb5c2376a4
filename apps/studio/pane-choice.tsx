import { useContext } from 'react'
import { sentenceCase } from './story/index.ts'
import styles from './studio.module.css'
import { ThreadContext } from './thread-context.ts'
import { WORDS } from './words.ts'

export type Pane = 'timeline' | 'file'

export interface PaneChoiceProps {
  readonly pane: Pane
  /** The selected record. */
  readonly at: number | undefined
  readonly onChoose: (pane: Pane) => void
}

/** Which pane a narrow page shows; a wide one shows both and not this. */
export function PaneChoice({ pane, at, onChoose }: PaneChoiceProps) {
  const { fileName = WORDS.file.name } = useContext(ThreadContext).description
  const name = sentenceCase(fileName)
  const choices = [
    ['timeline', WORDS.panes.timeline],
    ['file', at === undefined ? name : WORDS.panes.fileAt(name, at)],
  ] as const
  return (
    <div className={styles.choice} role="group" aria-label={WORDS.panes.label}>
      {choices.map(([each, words]) => (
        <button
          key={each}
          type="button"
          className={styles.tab}
          aria-pressed={each === pane}
          onClick={() => onChoose(each)}
        >
          {words}
        </button>
      ))}
    </div>
  )
}
