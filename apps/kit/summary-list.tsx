import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './summary-list.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'
import { WORDS } from './words.ts'

export interface SummaryRow {
  readonly name: string
  readonly value: ReactNode
  readonly onChange?: (() => void) | undefined
}

/** Names and values between ruled lines, with a way to change them where there is one. */
export function SummaryList({ rows }: { readonly rows: readonly SummaryRow[] }) {
  return (
    <div className={styles.frame}>
      <dl>
        {rows.map(({ name, value, onChange }) => (
          <div key={name} className={styles.row}>
            <dt className={styles.name}>{name}</dt>
            {/* A number or an address stays in its order where the words around it run the other way. */}
            <dd className={styles.value}>
              {typeof value === 'string' ? <bdi>{value}</bdi> : value}
            </dd>
            {onChange && (
              <dd className={styles.change}>
                <Button look="bare" onClick={onChange}>
                  {WORDS.change} <VisuallyHidden>{name}</VisuallyHidden>
                </Button>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  )
}
