import { useState } from 'react'
import { Button } from './button.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'
import { WORDS } from './words.ts'

export interface CopyButtonProps {
  readonly text: string
  readonly look?: 'secondary' | 'quiet'
  /** What it is, where no label beside the button says so. */
  readonly name?: string
}

/** Puts a text on the clipboard, where pages may. */
export function CopyButton({ text, look = 'secondary', name }: CopyButtonProps) {
  const [copied, setCopied] = useState<string>()
  const copy = (): void => {
    navigator.clipboard?.writeText(text).then(
      () => setCopied(text),
      () => setCopied(undefined),
    )
  }
  return (
    <Button look={look} onClick={copy}>
      <span role="status">{copied === text ? WORDS.copy.copied : WORDS.copy.copy}</span>
      {name !== undefined && <VisuallyHidden>{` ${name}`}</VisuallyHidden>}
    </Button>
  )
}
