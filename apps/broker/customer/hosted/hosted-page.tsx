import type { PageEntry } from '../../../kit/index.ts'
import { ConnectionBanner, RefusedNotice, useOpenedThread } from '../../../kit/index.ts'
import { FIRM } from '../../disclosures/firm.ts'
import { readCaseView } from '../case-view.ts'
import { ReconnectionsContext, useReconnections } from '../reconnections.ts'
import { HostedDisclosure } from './hosted-disclosure.tsx'
import { HOSTED_WORDS } from './hosted-words.ts'
import styles from './hosted.module.css'

const words = HOSTED_WORDS.page

export interface HostedPageProps {
  readonly entry: PageEntry
  readonly disclosureId: string
}

/** Shows one disclosure under the broker's own name, for journeys hosted by another site. */
export function HostedPage({ entry, disclosureId }: HostedPageProps) {
  const { live, state } = useOpenedThread(entry)
  const reconnections = useReconnections(live)
  if (live.status === 'refused') return <RefusedNotice reader="customer" error={live.error} />
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <p className={styles.firm}>{FIRM.name}</p>
        <p className={styles.why}>{words.why}</p>
      </header>
      <ConnectionBanner live={live} />
      {state === undefined ? (
        <main className={styles.opening}>
          <h1>{words.title}</h1>
          <p role="status">{words.opening}</p>
        </main>
      ) : (
        <ReconnectionsContext value={reconnections}>
          <HostedDisclosure
            entry={entry}
            live={live}
            view={readCaseView(state)}
            disclosureId={disclosureId}
          />
        </ReconnectionsContext>
      )}
    </div>
  )
}
