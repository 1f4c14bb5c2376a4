import { useEffect } from 'react'
import type { Json } from 'throughline/client'
import type { PageEntry } from '../../kit/index.ts'
import {
  Banner,
  Brand,
  ConnectionBanner,
  ErasedNotice,
  RefusedNotice,
  Tag,
  VisuallyHidden,
  useOpenedThread,
} from '../../kit/index.ts'
import type { InstallerCase } from '../case/case-view.ts'
import styles from './installer.module.css'
import { Panes } from './panes.tsx'
import { statusWords } from './status-words.ts'
import { WORDS } from './words.ts'

export function InstallerPage({ entry }: { readonly entry: PageEntry }) {
  const { live, state } = useOpenedThread(entry)
  const view = state === undefined ? undefined : readCase(state)
  const title = titleOf(view)
  useEffect(() => {
    document.title = title
  }, [title])
  if (live.status === 'refused') return <RefusedNotice code={entry.thread} />
  if (live.erasedAt !== undefined) return <ErasedNotice code={entry.thread} at={live.erasedAt} />
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <span className={styles.brand}>
          <Brand name="Clearpath" />
        </span>
        <h1 dir="auto">{title}</h1>
        <p role="status">
          {view ? (
            <>
              <VisuallyHidden>{WORDS.status.label}</VisuallyHidden>{' '}
              <Tag>{statusWords(view, live.view.domainRecords)}</Tag>
            </>
          ) : (
            WORDS.opening
          )}
        </p>
      </header>
      <ConnectionBanner live={live} />
      {live.status === 'late' && <Banner tone="warning">{WORDS.late}</Banner>}
      {view ? <Panes entry={entry} live={live} view={view} /> : <main />}
    </div>
  )
}

/** The name of the customer tells several tabs of one installer apart. */
function titleOf(view: InstallerCase | undefined): string {
  const { firstName, lastName } = view?.contact ?? {}
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return name === '' ? WORDS.title : WORDS.named(name)
}

function readCase(state: Json): InstallerCase {
  // Our own server shapes it for this role; nothing else can stand at this address.
  return state as InstallerCase
}
