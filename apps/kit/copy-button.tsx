import { useState } from 'react'
import { Button } from './button.tsx'
import styles from './copy-button.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'
import { WORDS } from './words.ts'

export interface CopyButtonProps {
  readonly text: string
  readonly look?: 'quiet' | 'bare'
  /** The button's name, where no label is beside it. */
  readonly name?: string
}

/** Puts a text on the clipboard, where pages may. */
export function CopyButton({ text, look = 'quiet', name }: CopyButtonProps) {
  const [copied, setCopied] = useState<string>()
  const copy = (): void => {
    navigator.clipboard?.writeText(text).then(
      () => setCopied(text),
      () => setCopied(undefined),
    )
  }
  return (
    <div className={`${styles.copy} ${look === 'bare' ? styles.bare : ''}`}>
      <Button look={look} onClick={copy}>
        {WORDS.copy.copy}
        {name !== undefined && <VisuallyHidden>{` ${name}`}</VisuallyHidden>}
      </Button>
      <span className={styles.status} role="status">
        {copied === text ? WORDS.copy.copied : ''}
      </span>
    </div>
  )
}
