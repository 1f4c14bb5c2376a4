import { CircleCheck } from 'lucide'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { Icon } from './icon.tsx'
import styles from './disclosure-text.module.css'

export interface FullTextProps {
  readonly title: string
  /** Which text this is: `Version 3`. */
  readonly version?: string
  /** The last line below the text. */
  readonly end: string
  /** The fragment to which "Read it" leads. */
  readonly id?: string
  readonly children: ReactNode
}

/** A regulated text, open on the page. It has no way to fold it. */
export function FullText({ title, version, end, id, children }: FullTextProps) {
  const heading = useId()
  return (
    <section id={id} className={styles.full} aria-labelledby={heading}>
      <div className={styles.head}>
        <h2 id={heading}>{title}</h2>
        {version !== undefined && <span className={styles.version}>{version}</span>}
      </div>
      <div className={styles.text} dir="auto">
        {children}
      </div>
      <p className={styles.end}>
        <Icon shape={CircleCheck} /> {end}
      </p>
    </section>
  )
}
