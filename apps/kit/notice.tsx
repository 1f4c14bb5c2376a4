import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './notice.module.css'
import { WORDS } from './words.ts'

export interface NoticeProps {
  readonly title: string
  /** The code by which support finds the page's case. */
  readonly code?: string
  readonly children: ReactNode
}

/** Replaces a whole page that cannot be shown. */
export function Notice({ title, code, children }: NoticeProps) {
  return (
    <main className={styles.notice}>
      <h1>{title}</h1>
      <p>{children}</p>
      <Button look="quiet" onClick={() => location.reload()}>
        {WORDS.connection.reload}
      </Button>
      {code !== undefined && (
        <p>
          {WORDS.code} <bdi>{code}</bdi>
        </p>
      )}
    </main>
  )
}
