import type { ReactNode } from 'react'
import styles from './field.module.css'
import { WORDS } from './words.ts'

export interface FieldText {
  /** Also the id of the control, to which the error summary links. */
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
}

/** What describes a control to those who listen: its hint and its error. */
export function describedBy({ id, hint, error }: FieldText): string | undefined {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean)
  return ids.length > 0 ? ids.join(' ') : undefined
}

export function FieldFrame(props: FieldText & { readonly children: ReactNode }) {
  const { id, label, error, children } = props
  return (
    <div className={`${styles.field} ${error ? styles.invalid : ''}`}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <FieldNotes {...props} />
      {children}
    </div>
  )
}

export function FieldNotes({ id, hint, error }: FieldText) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {WORDS.error.prefix} {error}
        </p>
      )}
    </>
  )
}
