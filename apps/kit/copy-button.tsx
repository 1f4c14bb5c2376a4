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
  const [last, setLast] = useState<{
    readonly text: string
    readonly outcome: 'copied' | 'failed'
  }>()
  const copy = (): void => {
    const end = (outcome: 'copied' | 'failed') => () => setLast({ text, outcome })
    // Pages that were loaded without TLS have no clipboard.
    const { clipboard } = navigator as Partial<Pick<Navigator, 'clipboard'>>
    if (!clipboard) return end('failed')()
    clipboard.writeText(text).then(end('copied'), end('failed'))
  }
  return (
    <div className={`${styles.copy} ${look === 'bare' ? styles.bare : ''}`}>
      <Button look={look} onClick={copy}>
        {WORDS.copy.copy}
        {name !== undefined && <VisuallyHidden>{` ${name}`}</VisuallyHidden>}
      </Button>
      <span className={styles.status} role="status">
        {last?.text === text ? WORDS.copy[last.outcome] : ''}
      </span>
    </div>
  )
}
