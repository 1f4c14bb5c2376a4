import type { ReactNode } from 'react'
import { Button, useFollowEnd } from '../../kit/index.ts'
import paneStyles from './panes.module.css'
import styles from './thread.module.css'
import { WORDS } from './words.ts'

export interface FollowedMainProps {
  /** Changes whenever something new is shown. */
  readonly version: string
  readonly children: ReactNode
}

/** Keeps its end in sight, unless the person has scrolled away from it. */
export function FollowedMain({ version, children }: FollowedMainProps) {
  const { end, unread, showEnd } = useFollowEnd(version)
  return (
    <main className={paneStyles.ledger}>
      {children}
      <div ref={end} className={styles.end} />
      {unread === 'some' && (
        <div className={styles.unread}>
          <Button look="quiet" onClick={showEnd}>
            {WORDS.newEvents}
          </Button>
        </div>
      )}
    </main>
  )
}
