import { Info, TriangleAlert } from 'lucide'
import type { ReactNode } from 'react'
import styles from './banner.module.css'
import { Icon } from './icon.tsx'

const ICONS = { note: Info, warning: TriangleAlert, plain: Info }

export interface NoteProps {
  readonly tone?: keyof typeof ICONS
  readonly children: ReactNode
}

/** A remark that belongs to the page. Unlike a banner it is not read out when it appears. */
export function Note({ tone = 'note', children }: NoteProps) {
  return (
    <div className={`${styles.banner} ${styles[tone]}`}>
      <Icon shape={ICONS[tone]} />
      <div className={styles.text}>{children}</div>
    </div>
  )
}
