import styles from './field.module.css'
import type { FieldText } from './field-frame.tsx'
import { FieldFrame, describedBy } from './field-frame.tsx'
import { WORDS } from './words.ts'

export interface SelectFieldProps extends FieldText {
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  /** `never`: one of the options stands from the start, so that there is nothing to be chosen first. */
  readonly unset?: 'offered' | 'never'
  readonly onChange: (value: string) => void
}

export function SelectField(props: SelectFieldProps) {
  const { id, value, options, unset = 'offered', onChange, error } = props
  return (
    <FieldFrame {...props}>
      <select
        id={id}
        value={value}
        className={styles.control}
        aria-describedby={describedBy(props)}
        aria-invalid={error ? true : undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        {unset === 'offered' && <option value="">{WORDS.choose}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}
