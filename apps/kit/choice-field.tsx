import choices from './choice.module.css'
import type { FieldText } from './field-frame.tsx'
import { FieldNotes, describedBy } from './field-frame.tsx'
import styles from './field.module.css'

export interface ChoiceOption {
  readonly value: string
  readonly label: string
  readonly hint?: string
}

export interface ChoiceFieldProps extends Omit<FieldText, 'given'> {
  readonly kind: 'one' | 'any'
  readonly chosen: readonly string[]
  readonly options: readonly ChoiceOption[]
  /** `pair`: two short answers, such as yes and no, side by side where there is room. */
  readonly layout?: 'rows' | 'pair'
  readonly onChange: (chosen: readonly string[]) => void
}

/** Radio buttons (`one`) or check boxes (`any`) under one question. The whole row can be pressed. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { id, label, kind, chosen, options, layout = 'rows', onChange, error } = props
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
      <div className={choices[layout]}>
        {options.map((option, index) => (
          <label key={option.value} className={choices.choice}>
            <input
              className={choices.input}
              // The error summary links to the first choice.
              id={index === 0 ? id : `${id}-${option.value}`}
              type={kind === 'one' ? 'radio' : 'checkbox'}
              name={id}
              value={option.value}
              checked={chosen.includes(option.value)}
              onChange={() => onChange(toggled(option.value))}
            />
            <span className={choices.mark} />
            <span className={choices.words}>
              {option.label}
              {option.hint !== undefined && <span className={choices.hint}>{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
