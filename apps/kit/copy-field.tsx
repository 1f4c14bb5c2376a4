import { useId } from 'react'
import { CopyButton } from './copy-button.tsx'
import styles from './field.module.css'

export interface CopyFieldProps {
  readonly label: string
  readonly text: string
}

/** A text to carry elsewhere; where the clipboard is closed to pages, it can be selected. */
export function CopyField({ label, text }: CopyFieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className={styles.control}
        readOnly
        dir="ltr"
        value={text}
        onFocus={(event) => event.target.select()}
      />
      <CopyButton text={text} />
    </div>
  )
}
