import { CircleAlert } from 'lucide'
import type { ReactNode } from 'react'
import type { Actor } from './actor-mark.tsx'
import { ActorMark } from './actor-mark.tsx'
import styles from './field.module.css'
import { Icon } from './icon.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'
import { WORDS } from './words.ts'

export interface FieldText {
  /** Also the id of the control, to which the error summary links. */
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  /** The person or system that filled in the value: `Your installer told us this`. */
  readonly given?: { readonly by: Actor; readonly text: string } | undefined
}

/** Returns a control's `aria-describedby`: the ids of its hint, its error and its value's source. */
export function describedBy({ id, hint, error, given }: FieldText): string | undefined {
  const ids = [hint && `${id}-hint`, error && `${id}-error`, given && `${id}-given`].filter(Boolean)
  return ids.length > 0 ? ids.join(' ') : undefined
}

export function FieldFrame(props: FieldText & { readonly children: ReactNode }) {
  const { id, label, error, given, children } = props
  return (
    <div className={`${styles.field} ${error ? styles.invalid : ''}`}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <FieldNotes {...props} />
      {children}
      {given && (
        <p id={`${id}-given`} className={styles.given}>
          <ActorMark actor={given.by} />
          {given.text}
        </p>
      )}
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
          <Icon shape={CircleAlert} />
          <span>
            <VisuallyHidden>{WORDS.error.prefix} </VisuallyHidden>
            {error}
          </span>
        </p>
      )}
    </>
  )
}
