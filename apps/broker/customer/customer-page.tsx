import type { PageEntry } from '../../kit/index.ts'
import { Banner, ConnectionBanner, RefusedNotice, useOpenedThread } from '../../kit/index.ts'
import { readCaseView } from './case-view.ts'
import styles from './customer.module.css'
import { DemoBar } from './demo/demo-bar.tsx'
import { Journey } from './journey.tsx'
import { isDemo } from './trust.ts'
import { WORDS } from './words.ts'

export function CustomerPage({ entry }: { readonly entry: PageEntry }) {
  const { live, state } = useOpenedThread(entry)
  if (live.status === 'refused') return <RefusedNotice />
  const view = state === undefined ? undefined : readCaseView(state)
  return (
    <div className={styles.page}>
      {isDemo() && <DemoBar thread={entry.thread} />}
      <header className={styles.header}>
        <h1>{WORDS.title}</h1>
        {view && <p className={styles.by}>{WORDS.retailer(view.retailerName)}</p>}
      </header>
      <ConnectionBanner live={live} />
      {live.status === 'late' && <Banner tone="warning">{WORDS.late}</Banner>}
      {view ? (
        <Journey entry={entry} live={live} view={view} />
      ) : (
        <main className={styles.content}>
          <p role="status">{WORDS.opening}</p>
        </main>
      )}
    </div>
  )
}
