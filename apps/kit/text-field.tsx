import styles from './field.module.css'
import type { FieldText } from './field-frame.tsx'
import { FieldFrame, describedBy } from './field-frame.tsx'

export interface TextFieldProps extends FieldText {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly kind?: 'text' | 'email' | 'tel' | 'password' | 'decimal' | 'numeric' | 'lines'
  /** A sign in the box before the value, such as `£`. */
  readonly sign?: string
  readonly autoComplete?: string
  readonly maxLength?: number
}

export function TextField(props: TextFieldProps) {
  const { sign } = props
  return (
    <FieldFrame {...props}>
      {sign === undefined ? (
        <Control {...props} />
      ) : (
        <div className={styles.affixed}>
          <span className={styles.affix} aria-hidden="true">
            {sign}
          </span>
          <Control {...props} />
        </div>
      )}
    </FieldFrame>
  )
}

function Control(props: TextFieldProps) {
  const { id, value, onChange, kind = 'text', autoComplete = 'off', maxLength, error } = props
  const control = {
    id,
    value,
    autoComplete,
    maxLength,
    className: styles.control,
    'aria-describedby': describedBy(props),
    'aria-invalid': error ? true : undefined,
  }
  if (kind === 'lines') {
    return (
      <textarea
        {...control}
        rows={3}
        dir="auto"
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  return (
    <input
      {...control}
      type={kind === 'decimal' || kind === 'numeric' ? 'text' : kind}
      inputMode={kind === 'password' ? 'text' : kind}
      dir={kind === 'text' ? 'auto' : 'ltr'}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
