import type { PageEntry } from '../../kit/index.ts'
import { ErasedNotice, RefusedNotice, useOpenedThread } from '../../kit/index.ts'
import { readCaseView } from './case-view.ts'
import styles from './customer-page.module.css'
import { DemoBar } from './demo/demo-bar.tsx'
import { Journey } from './journey.tsx'
import { OpeningScreen } from './opening-screen.tsx'
import { ReconnectionsContext, useReconnections } from './reconnections.ts'
import { referenceOf } from './reference.ts'
import { isDemo } from './trust.ts'

export function CustomerPage({ entry }: { readonly entry: PageEntry }) {
  const { live, state } = useOpenedThread(entry)
  const reconnections = useReconnections(live)
  const code = referenceOf({ sessionId: entry.thread })
  if (live.status === 'refused')
    return <RefusedNotice reader="customer" code={code} error={live.error} />
  if (live.erasedAt !== undefined)
    return <ErasedNotice reader="customer" code={code} at={live.erasedAt} />
  return (
    <ReconnectionsContext value={reconnections}>
      {isDemo() && <DemoBar thread={entry.thread} />}
      <div className={styles.app}>
        {state === undefined ? (
          <OpeningScreen status={live.status === 'late' ? 'late' : 'opening'} />
        ) : (
          <Journey entry={entry} live={live} view={readCaseView(state)} />
        )}
      </div>
    </ReconnectionsContext>
  )
}
