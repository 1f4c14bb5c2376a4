import styles from './field.module.css'
import type { FieldText } from './field-frame.tsx'
import { FieldNotes, describedBy } from './field-frame.tsx'

export interface DateParts {
  readonly day: string
  readonly month: string
  readonly year: string
}

export interface DateFieldProps extends Omit<FieldText, 'given'> {
  readonly value: DateParts
  readonly words: Readonly<Record<keyof DateParts, string>>
  readonly onChange: (value: DateParts) => void
}

/** A date that a person knows by heart, in three boxes: quicker than any calendar. */
export function DateField(props: DateFieldProps) {
  const { id, label, value, words, onChange, error } = props
  return (
    <fieldset
      className={`${styles.field} ${error ? styles.invalid : ''}`}
      aria-describedby={describedBy(props)}
    >
      <legend className={styles.legend}>{label}</legend>
      <FieldNotes {...props} />
      <div className={styles.parts}>
        {(['day', 'month', 'year'] as const).map((part) => (
          <label key={part} className={styles.part}>
            {words[part]}
            <input
              // The error summary links to the first box.
              id={part === 'day' ? id : `${id}-${part}`}
              className={styles.control}
              inputMode="numeric"
              autoComplete={`bday-${part}`}
              maxLength={part === 'year' ? 4 : 2}
              value={value[part]}
              aria-invalid={error ? true : undefined}
              onChange={(event) => onChange({ ...value, [part]: event.target.value })}
            />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
