import type { IconNode } from 'lucide'
import { Icon } from '../../../kit/index.ts'
import styles from './ways.module.css'

export interface Way {
  readonly icon: IconNode
  readonly title: string
  readonly text: string
  readonly onChoose: () => void
}

/** Ways to go on, all of the same weight. */
export function Ways({ ways }: { readonly ways: readonly Way[] }) {
  return (
    <ul className={styles.ways}>
      {ways.map(({ icon, title, text, onChoose }) => (
        <li key={title}>
          <button type="button" className={styles.way} onClick={onChoose}>
            <Icon shape={icon} />
            <span>
              <b className={styles.title}>{title}</b> <span className={styles.text}>{text}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
