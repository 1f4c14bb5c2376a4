import styles from './studio.module.css'

export interface VerdictProps {
  readonly look: 'ok' | 'broken' | 'unknown'
  /** Says the same as the colour. */
  readonly sign: string
  readonly children: string
}

/** The result of a check: words and a sign, not colour alone. */
export function Verdict({ look, sign, children }: VerdictProps) {
  return (
    <span className={`${styles.badge} ${styles[look]}`}>
      <span aria-hidden="true">{sign}</span>
      {children}
    </span>
  )
}
