import { CircleAlert, Info, TriangleAlert } from 'lucide'
import type { ReactNode } from 'react'
import styles from './banner.module.css'
import { Icon } from './icon.tsx'

const ICONS = { note: Info, warning: TriangleAlert, problem: CircleAlert }

export interface BannerProps {
  readonly tone: keyof typeof ICONS
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
      <Icon shape={ICONS[tone]} />
      <p className={styles.text}>{children}</p>
      {action}
    </div>
  )
}
