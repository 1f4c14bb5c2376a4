import type { ReactNode } from 'react'
import { useId } from 'react'
import styles from './card.module.css'

export interface CardProps {
  readonly title: string
  readonly children: ReactNode
}

/** One question or one statement. Its heading can take the focus when it replaces a card. */
export function Card({ title, children }: CardProps) {
  const headingId = useId()
  return (
    <section className={styles.card} aria-labelledby={headingId}>
      <h2 id={headingId} tabIndex={-1} data-card-heading>
        {title}
      </h2>
      {children}
    </section>
  )
}
