import { Button, number } from '../kit/index.ts'
import type { AuditQuery } from './audit-query.ts'
import styles from './studio.module.css'
import { WINDOW_RECORDS_MAX } from './use-thread-start.ts'
import { WORDS } from './words.ts'

export interface WindowChoiceProps {
  /** The first and the last record that the page holds. */
  readonly first: number
  readonly last: number
  /** The last record of the thread. */
  readonly head: number
  readonly onAsk: (change: Partial<AuditQuery>) => void
}

/** The records of a long thread that the page holds, and the way to the others; nothing for a short one. */
export function WindowChoice({ first, last, head, onAsk }: WindowChoiceProps) {
  if (first === 0 && last >= head) return null
  const show = (from: number) => () => {
    const isTail = from + WINDOW_RECORDS_MAX > head
    onAsk({ from: isTail ? undefined : Math.max(0, from), ev: undefined })
  }
  return (
    <nav className={styles.found} aria-label={WORDS.window.label}>
      <span role="status">{WORDS.window.shown(number(first), number(last), number(head))}</span>
      {first > 0 && (
        <>
          <Button look="bare" onClick={show(0)}>
            {WORDS.window.first}
          </Button>
          <Button look="bare" onClick={show(first - WINDOW_RECORDS_MAX)}>
            {WORDS.window.earlier}
          </Button>
        </>
      )}
      {last < head && (
        <>
          <Button look="bare" onClick={show(last + 1)}>
            {WORDS.window.later}
          </Button>
          <Button look="bare" onClick={show(head)}>
            {WORDS.window.latest}
          </Button>
        </>
      )}
    </nav>
  )
}
