import type { MouseEvent, ReactNode } from 'react'

export interface RecordLinkProps {
  readonly seq: number
  readonly label?: string
  readonly onSelect: (seq: number) => void
  readonly children: ReactNode
}

/** A lasting link to a record, for a new tab or a copy; a plain click selects it on this page. */
export function RecordLink({ seq, label, onSelect, children }: RecordLinkProps) {
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onSelect(seq)
  }
  return (
    <a href={`?ev=${seq}`} aria-label={label} onClick={follow}>
      {children}
    </a>
  )
}
