import { useId, useState } from 'react'
import { Button } from './button.tsx'
import styles from './field.module.css'
import { WORDS } from './words.ts'

export interface CopyFieldProps {
  readonly label: string
  readonly text: string
}

/** A text to carry elsewhere; where the clipboard is closed to pages, it can be selected. */
export function CopyField({ label, text }: CopyFieldProps) {
  const id = useId()
  const [copied, setCopied] = useState<string>()
  const copy = (): void => {
    navigator.clipboard?.writeText(text).then(
      () => setCopied(text),
      () => setCopied(undefined),
    )
  }
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
      <Button look="secondary" onClick={copy}>
        <span role="status">{copied === text ? WORDS.copy.copied : WORDS.copy.copy}</span>
      </Button>
    </div>
  )
}
