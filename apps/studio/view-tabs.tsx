import type { MouseEvent } from 'react'
import type { AuditQuery, Tab } from './audit-query.ts'
import { TABS, writeQuery } from './audit-query.ts'
import styles from './view-tabs.module.css'
import { WORDS } from './words.ts'

export interface ViewTabsProps {
  readonly query: AuditQuery
  readonly onAsk: (change: Partial<AuditQuery>) => void
}

/** The views of a thread. Each is a link, for a new tab or a copy; a plain click changes this page. */
export function ViewTabs({ query, onAsk }: ViewTabsProps) {
  const follow = (event: MouseEvent, tab: Tab): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onAsk({ tab })
  }
  return (
    <nav className={styles.tabs} aria-label={WORDS.tabs.label}>
      {TABS.map((tab) => (
        <a
          key={tab}
          href={writeQuery({ ...query, tab }) || '?'}
          aria-current={tab === query.tab ? 'page' : undefined}
          onClick={(event) => follow(event, tab)}
        >
          {WORDS.tabs.of[tab]}
        </a>
      ))}
    </nav>
  )
}
