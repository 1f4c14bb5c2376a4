import type { MouseEvent, ReactNode } from 'react'
import styles from './button.module.css'

const TARGETS = {
  here: {},
  'in a new tab': { target: '_blank', rel: 'noopener' },
  'in the whole tab': { target: '_top' },
}

export interface LinkButtonProps {
  readonly href: string
  readonly look?: 'primary' | 'equal' | 'quiet' | 'bare'
  /** `in the whole tab`: also from a page in a frame. */
  readonly opens?: keyof typeof TARGETS
  readonly children: ReactNode
  readonly onClick?: (event: MouseEvent) => void
}

export function LinkButton(props: LinkButtonProps) {
  const { href, look = 'primary', opens = 'here', children, onClick } = props
  const elsewhere = TARGETS[opens]
  return (
    <a className={`${styles.button} ${styles[look]}`} href={href} onClick={onClick} {...elsewhere}>
      <span className={styles.label}>{children}</span>
    </a>
  )
}
