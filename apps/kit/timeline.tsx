import { Check } from 'lucide'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './timeline.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'
import { WORDS } from './words.ts'

export interface TimelineItem {
  readonly key: string
  readonly status: 'done' | 'now' | 'later'
  readonly title: string
  /** When it happened or will happen. */
  readonly when?: string
  readonly text?: ReactNode
}

/** A vertical line of past, present and future items: lenders, next steps, the steps of a journey. */
export function Timeline({ items }: { readonly items: readonly TimelineItem[] }) {
  return (
    <ol className={styles.timeline}>
      {items.map(({ key, status, title, when, text }) => (
        <li
          key={key}
          className={`${styles.item} ${styles[status]}`}
          aria-current={status === 'now' ? 'step' : undefined}
        >
          <span className={styles.knot}>{status === 'done' && <Icon shape={Check} />}</span>
          <b className={styles.title}>
            {title}
            <VisuallyHidden>, {WORDS.progress[status]}</VisuallyHidden>
          </b>
          {when !== undefined && <p className={styles.when}>{when}</p>}
          {text !== undefined && <p className={styles.text}>{text}</p>}
        </li>
      ))}
    </ol>
  )
}
