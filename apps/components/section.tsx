import type { ReactNode } from 'react'
import { Card } from '../kit/index.ts'
import styles from './components.module.css'

export interface SectionProps {
  readonly title: string
  readonly children: ReactNode
}

export function Section({ title, children }: SectionProps) {
  return (
    <Card title={title}>
      <div className={styles.samples}>{children}</div>
    </Card>
  )
}

export interface SampleProps {
  /** The component and its state. */
  readonly of: string
  readonly width?: 'cell' | 'whole'
  readonly children: ReactNode
}

export function Sample({ of, width = 'cell', children }: SampleProps) {
  return (
    <div className={`${styles.sample} ${styles[width]}`}>
      <p className={styles.of}>{of}</p>
      {children}
    </div>
  )
}
