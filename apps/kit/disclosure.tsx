import type { ReactNode } from 'react'
import { useState } from 'react'
import styles from './disclosure.module.css'

export interface DisclosureProps {
  readonly summary: ReactNode
  /** Drawn only while it is open: there may be many, and long ones. */
  readonly children: () => ReactNode
}

/** A part of a page that opens on request; closed at first. */
export function Disclosure({ summary, children }: DisclosureProps) {
  const [state, setState] = useState<'closed' | 'open'>('closed')
  return (
    <details
      className={styles.disclosure}
      onToggle={(event) => setState(event.currentTarget.open ? 'open' : 'closed')}
    >
      <summary className={styles.summary}>{summary}</summary>
      {state === 'open' && <div className={styles.content}>{children()}</div>}
    </details>
  )
}
