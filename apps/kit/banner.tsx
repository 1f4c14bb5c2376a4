import type { ReactNode } from 'react'
import styles from './banner.module.css'

export interface BannerProps {
  readonly tone: 'note' | 'warning' | 'problem'
  readonly children: ReactNode
  readonly action?: ReactNode
}

/** A short message that is read out when it appears. */
export function Banner({ tone, children, action }: BannerProps) {
  return (
    <div
      className={`${styles.banner} ${styles[tone]}`}
      role={tone === 'problem' ? 'alert' : 'status'}
    >
      <p className={styles.text}>{children}</p>
      {action}
    </div>
  )
}
