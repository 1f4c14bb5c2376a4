import type { ReactNode } from 'react'
import styles from './button.module.css'

export interface LinkButtonProps {
  readonly href: string
  readonly look?: 'primary' | 'secondary'
  readonly opens?: 'here' | 'in a new tab'
  readonly children: ReactNode
}

export function LinkButton({ href, look = 'primary', opens = 'here', children }: LinkButtonProps) {
  const elsewhere = opens === 'here' ? {} : { target: '_blank', rel: 'noopener' }
  return (
    <a className={`${styles.button} ${styles[look]}`} href={href} {...elsewhere}>
      {children}
    </a>
  )
}
