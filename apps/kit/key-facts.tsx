import type { IconNode } from 'lucide'
import { Icon } from './icon.tsx'
import styles from './disclosure-text.module.css'

export interface KeyFact {
  readonly icon: IconNode
  readonly title: string
  readonly text: string
}

/** The few facts of a regulated text that a reader must not miss. The text itself stands below. */
export function KeyFacts({ facts }: { readonly facts: readonly KeyFact[] }) {
  return (
    <ul className={styles.facts}>
      {facts.map(({ icon, title, text }) => (
        <li key={title} className={styles.fact}>
          <span className={styles.dot}>
            <Icon shape={icon} />
          </span>
          <div>
            <b className={styles.title}>{title}</b>
            <p className={styles.words}>{text}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
