import type { IconNode } from 'lucide'
import type { ReactNode } from 'react'
import styles from './banner.module.css'
import { Icon } from './icon.tsx'

export interface StripProps {
  readonly tone: 'note' | 'warning'
  readonly icon: IconNode
  readonly children: ReactNode
}

/** One line across the page with the page's state. Screen readers read it when it appears. */
export function Strip({ tone, icon, children }: StripProps) {
  return (
    <div className={`${styles.strip} ${styles[tone]}`} role="status">
      <Icon shape={icon} />
      <p>{children}</p>
    </div>
  )
}
