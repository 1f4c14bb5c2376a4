import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './notice.module.css'
import { WORDS } from './words.ts'

export interface NoticeProps {
  readonly title: string
  readonly children: ReactNode
}

/** Stands in for a whole page that cannot be shown. */
export function Notice({ title, children }: NoticeProps) {
  return (
    <main className={styles.notice}>
      <h1>{title}</h1>
      <p>{children}</p>
      <Button look="secondary" onClick={() => location.reload()}>
        {WORDS.connection.reload}
      </Button>
    </main>
  )
}
