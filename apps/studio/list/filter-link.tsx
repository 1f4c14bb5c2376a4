import type { MouseEvent, ReactNode } from 'react'
import type { ListQuery } from './list-query.ts'
import { writeListQuery } from './list-query.ts'
import styles from './list.module.css'

export interface FilterLinkProps {
  /** What the list shows then. */
  readonly query: ListQuery
  readonly onAsk: (query: ListQuery) => void
  readonly children: ReactNode
}

/** A link to another list, for a new tab or a copy; a plain click changes this page. */
export function FilterLink({ query, onAsk, children }: FilterLinkProps) {
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onAsk(query)
  }
  return (
    <a className={styles.filter} href={writeListQuery(query) || '?'} onClick={follow}>
      {children}
    </a>
  )
}
