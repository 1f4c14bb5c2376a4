import type { PageEntry } from '../../../kit/index.ts'
import { ConnectionBanner, RefusedNotice, useOpenedThread } from '../../../kit/index.ts'
import { FIRM } from '../../disclosures/firm.ts'
import { readCaseView } from '../case-view.ts'
import { WORDS } from '../words.ts'
import { HostedDisclosure } from './hosted-disclosure.tsx'
import styles from './hosted.module.css'

const words = WORDS.hosted.page

export interface HostedPageProps {
  readonly entry: PageEntry
  readonly disclosureId: string
}

/** One disclosure under the broker's own name, for customers whose journey somebody else hosts. */
export function HostedPage({ entry, disclosureId }: HostedPageProps) {
  const { live, state } = useOpenedThread(entry)
  if (live.status === 'refused') return <RefusedNotice />
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <p className={styles.firm}>{FIRM.name}</p>
        <h1 className={styles.title}>{words.title}</h1>
        <p>{words.why}</p>
      </header>
      <ConnectionBanner live={live} />
      <main className={styles.main}>
        {state === undefined ? (
          <p role="status">{words.opening}</p>
        ) : (
          <HostedDisclosure
            entry={entry}
            live={live}
            view={readCaseView(state)}
            disclosureId={disclosureId}
          />
        )}
      </main>
    </div>
  )
}
