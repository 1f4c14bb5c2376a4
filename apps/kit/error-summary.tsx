import { useEffect, useRef } from 'react'
import styles from './error-summary.module.css'
import { WORDS } from './words.ts'

export interface FieldError {
  /** The id of the control. */
  readonly field: string
  readonly message: string
}

/**
 * Lists the faults of a form and takes the focus, again for each new list but not for one that got
 * shorter while a person corrects it; the page's title shows the error until then.
 */
export function ErrorSummary({ errors }: { readonly errors: readonly FieldError[] }) {
  const box = useRef<HTMLDivElement>(null)
  const before = useRef(0)
  useEffect(() => {
    if (errors.length >= before.current) box.current?.focus()
    before.current = errors.length
  }, [errors])
  useEffect(() => {
    const title = document.title
    document.title = `${WORDS.error.titlePrefix}${title}`
    return () => {
      document.title = title
    }
  }, [])
  return (
    <div ref={box} className={styles.summary} role="alert" tabIndex={-1}>
      <h3>{WORDS.error.summary}</h3>
      <ul className={styles.list}>
        {errors.map(({ field, message }) => (
          <li key={field}>
            <a
              href={`#${field}`}
              onClick={(event) => {
                // The fragment holds the recovery seed.
                event.preventDefault()
                document.getElementById(field)?.focus()
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
