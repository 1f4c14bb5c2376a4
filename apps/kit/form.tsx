import type { ReactNode } from 'react'
import type { FieldError } from './error-summary.tsx'
import { ErrorSummary } from './error-summary.tsx'
import styles from './form.module.css'

export interface FormProps {
  readonly errors: readonly FieldError[]
  readonly onSubmit: () => void
  readonly children: ReactNode
}

export function Form({ errors, onSubmit, children }: FormProps) {
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {errors.length > 0 && <ErrorSummary errors={errors} />}
      {children}
    </form>
  )
}

/** The message for one field, if it has one. */
export function errorAt(errors: readonly FieldError[], field: string): string | undefined {
  return errors.find((error) => error.field === field)?.message
}
