import styles from './studio.module.css'
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
  const choices = [
    ['timeline', WORDS.panes.timeline],
    ['file', at === undefined ? WORDS.panes.file : WORDS.panes.fileAt(at)],
  ] as const
  return (
    <div className={styles.choice} role="group" aria-label={WORDS.panes.label}>
      {choices.map(([each, name]) => (
        <button
          key={each}
          type="button"
          className={styles.tab}
          aria-pressed={each === pane}
          onClick={() => onChoose(each)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
