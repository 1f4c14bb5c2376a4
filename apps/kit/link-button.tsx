import type { ReactNode } from 'react'
import styles from './button.module.css'

export interface LinkButtonProps {
  readonly href: string
  readonly look?: 'primary' | 'secondary'
  readonly children: ReactNode
}

export function LinkButton({ href, look = 'primary', children }: LinkButtonProps) {
  return (
    <a className={`${styles.button} ${styles[look]}`} href={href}>
      {children}
    </a>
  )
}
