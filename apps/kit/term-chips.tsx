import styles from './choice.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface Term {
  readonly value: string
  /** The figure, such as `10`, above its unit, such as `years`. */
  readonly figure: string
  readonly unit: string
}

export interface TermChipsProps {
  readonly id: string
  /** The question; a heading on the page asks it to those who see. */
  readonly label: string
  readonly terms: readonly Term[]
  readonly chosen: string | undefined
  readonly onChange: (value: string) => void
}

/** A few lengths of time side by side, of which one is chosen: native radio buttons. */
export function TermChips({ id, label, terms, chosen, onChange }: TermChipsProps) {
  return (
    <fieldset>
      <legend>
        <VisuallyHidden>{label}</VisuallyHidden>
      </legend>
      <div className={styles.terms}>
        {terms.map(({ value, figure, unit }) => (
          <label key={value} className={styles.term}>
            <input
              className={styles.input}
              type="radio"
              name={id}
              value={value}
              checked={value === chosen}
              onChange={() => onChange(value)}
            />
            <span className={styles.number}>{figure}</span> {unit}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
