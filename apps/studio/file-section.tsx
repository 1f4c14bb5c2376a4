import type { ReactNode } from 'react'
import { useState } from 'react'
import styles from './file-section.module.css'

export interface FileSectionProps {
  readonly title: string
  /** Opens it whenever it turns to `open`; what a person does afterwards stands. */
  readonly wanted: 'closed' | 'open'
  readonly children: () => ReactNode
}

/** A part of the case file under its heading, drawn while it is open. */
export function FileSection({ title, wanted, children }: FileSectionProps) {
  const [state, setState] = useState(wanted)
  const [before, setBefore] = useState(wanted)
  if (wanted !== before) {
    setBefore(wanted)
    if (wanted === 'open') setState('open')
  }
  return (
    <details
      className={styles.part}
      open={state === 'open'}
      onToggle={(event) => setState(event.currentTarget.open ? 'open' : 'closed')}
    >
      <summary className={styles.partName}>
        <h2>{title}</h2>
      </summary>
      {state === 'open' && <div className={styles.partBody}>{children()}</div>}
    </details>
  )
}
