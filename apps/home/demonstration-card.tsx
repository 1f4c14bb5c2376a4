import type { ReactNode } from 'react'
import { useId } from 'react'
import styles from './demonstration-card.module.css'

export interface DemonstrationCardProps {
  readonly words: { readonly eyebrow: string; readonly title: string; readonly text: string }
  readonly mark: ReactNode
  readonly children: ReactNode
}

export function DemonstrationCard({ words, mark, children }: DemonstrationCardProps) {
  const heading = useId()
  return (
    <section className={styles.card} aria-labelledby={heading}>
      <div className={styles.head}>
        <p className={styles.eyebrow}>
          {mark} {words.eyebrow}
        </p>
        <h2 id={heading}>{words.title}</h2>
        <p className={styles.text}>{words.text}</p>
      </div>
      {children}
    </section>
  )
}
