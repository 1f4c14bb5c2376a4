import { Check, ChevronRight, CircleHelp } from 'lucide'
import type { Actor } from './actor-mark.tsx'
import { ActorMark } from './actor-mark.tsx'
import styles from './checklist-row.module.css'
import { Icon } from './icon.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'
import { WORDS } from './words.ts'

export interface ChecklistRowProps {
  readonly name: string
  /** `asks`: something was said that is not clear. */
  readonly status: 'known' | 'asks' | 'missing'
  /** The value, a question about it, or the words for a missing value. */
  readonly value: string
  /** The source of the value: `Sarah, by message`. */
  readonly given?: { readonly by: Actor; readonly text: string }
  readonly onEdit: () => void
}

/** One needed fact, in an `ul`. Its height and place are the same in every state. */
export function ChecklistRow({ name, status, value, given, onEdit }: ChecklistRowProps) {
  return (
    <li>
      <button type="button" className={`${styles.row} ${styles[status]}`} onClick={onEdit}>
        <span className={styles.tick}>
          {status === 'known' && <Icon shape={Check} />}
          {status === 'asks' && <Icon shape={CircleHelp} />}
        </span>
        <span className={styles.words}>
          <span className={styles.name}>
            <VisuallyHidden>{WORDS.checklist[status]}: </VisuallyHidden>
            {name}
            {given && (
              <span className={styles.given}>
                <ActorMark actor={given.by} /> {given.text}
              </span>
            )}
          </span>
          <bdi className={styles.value}>{value}</bdi>
        </span>
        <Icon shape={ChevronRight} />
      </button>
    </li>
  )
}
