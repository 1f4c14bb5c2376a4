import type { MouseEvent, ReactNode } from 'react'
import { WORDS } from './words.ts'

export interface RecordLinkProps {
  readonly seq: number
  readonly label?: string
  readonly onSelect: (seq: number) => void
  /** The record's number, unless it is given. */
  readonly children?: ReactNode
}

/** A lasting link to a record, for a new tab or a copy; a plain click selects it on this page. */
export function RecordLink(props: RecordLinkProps) {
  const { seq, label, onSelect, children = WORDS.file.recordOf(seq) } = props
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
