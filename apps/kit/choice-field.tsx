import styles from './field.module.css'
import type { FieldText } from './field-frame.tsx'
import { FieldNotes, describedBy } from './field-frame.tsx'

export interface ChoiceFieldProps extends FieldText {
  readonly kind: 'one' | 'any'
  readonly chosen: readonly string[]
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** Radio buttons (`one`) or check boxes (`any`) under one question. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { id, label, kind, chosen, options, onChange, error } = props
  const toggled = (value: string): readonly string[] => {
    if (kind === 'one') return [value]
    return chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]
  }
  return (
    <fieldset
      className={`${styles.field} ${error ? styles.invalid : ''}`}
      aria-describedby={describedBy(props)}
    >
      <legend className={styles.legend}>{label}</legend>
      <FieldNotes {...props} />
      <div className={styles.choices}>
        {options.map((option, index) => (
          <label key={option.value} className={styles.choice}>
            <input
              className={styles.mark}
              // The error summary links to the first choice.
              id={index === 0 ? id : `${id}-${option.value}`}
              type={kind === 'one' ? 'radio' : 'checkbox'}
              name={id}
              value={option.value}
              checked={chosen.includes(option.value)}
              onChange={() => onChange(toggled(option.value))}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
