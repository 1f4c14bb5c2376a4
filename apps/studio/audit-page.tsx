import { useState } from 'react'
import { useEvents } from 'throughline/react'
import type { PageEntry } from '../kit/index.ts'
import { RefusedNotice } from '../kit/index.ts'
import { RecordRow } from './record-row.tsx'
import { StatePane } from './state-pane.tsx'
import styles from './studio.module.css'
import { VerifyBadge } from './verify-badge.tsx'
import { WORDS } from './words.ts'

export function AuditPage({ entry }: { readonly entry: PageEntry }) {
  const { thread, role } = entry
  const url = `/api/threads/${encodeURIComponent(thread)}/events`
  const { records, status, seq } = useEvents({ url, role })
  const [selected, setSelected] = useState<number>()
  if (status === 'refused') return <RefusedNotice />
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1>{WORDS.title}</h1>
        <span className={styles.id}>{WORDS.thread(thread)}</span>
        <span role="status">{status === 'live' ? WORDS.tail.live : WORDS.tail.paused}</span>
        <span>{WORDS.records(records.length)}</span>
        <VerifyBadge thread={thread} />
      </header>
      <main className={styles.panes}>
        <section className={styles.pane} aria-label={WORDS.timeline} tabIndex={0}>
          {records.length === 0 && <p role="status">{WORDS.opening}</p>}
          <ol className={styles.timeline}>
            {records.map((record) => (
              <RecordRow
                key={record.seq}
                record={record}
                current={record.seq === selected}
                onSelect={setSelected}
              />
            ))}
          </ol>
        </section>
        <StatePane
          thread={thread}
          head={seq}
          at={selected}
          onFollow={() => setSelected(undefined)}
        />
      </main>
    </div>
  )
}
