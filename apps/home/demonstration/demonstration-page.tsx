import { ExternalLink } from 'lucide'
import { useEffect, useState } from 'react'
import { Brand, Icon, Tag, VisuallyHidden } from '../../kit/index.ts'
import { onWhoActed } from './acted-message.ts'
import styles from './demonstration.module.css'
import type { PaneName, PanePage } from './pane-pages.ts'
import { WORDS } from './words.ts'

/** The three pages of one case side by side, or one at a time where the window is narrow. */
export function DemonstrationPage({ pages }: { readonly pages: readonly PanePage[] }) {
  const [shown, setShown] = useState<PaneName>('installer')
  const [acted, setActed] = useState<readonly PaneName[]>([])
  useEffect(() => onWhoActed(setActed), [])
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Brand name="Throughline" href="/" />
        <h1>{WORDS.title}</h1>
        <Tag tone="outline">{WORDS.page}</Tag>
        <p className={styles.hint}>{WORDS.hint}</p>
      </header>
      <main className={styles.main}>
        <div className={styles.tabs} role="group" aria-label={WORDS.panes.label}>
          {pages.map(({ name }) => (
            <button
              key={name}
              type="button"
              className={styles.tab}
              aria-pressed={name === shown}
              onClick={() => setShown(name)}
            >
              {WORDS.panes[name]}
            </button>
          ))}
        </div>
        <div className={styles.panes}>
          {pages.map((page) => (
            <Pane
              key={page.name}
              page={page}
              isShown={page.name === shown}
              isBegun={acted.includes(page.name)}
            />
          ))}
        </div>
      </main>
    </div>
  )
}

interface PaneProps {
  readonly page: PanePage
  readonly isShown: boolean
  /** Whether this pane's person has done what the pane says to do first. */
  readonly isBegun: boolean
}

function Pane({ page, isShown, isBegun }: PaneProps) {
  const { name, href, entry } = page
  const title = WORDS.panes[name]
  return (
    <section className={styles.pane} data-pane={name} data-shown={isShown} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {!isBegun && <p className={styles.first}>{WORDS.first[name]}</p>}
        <a className={styles.open} href={href} target="_blank" rel="noopener">
          {WORDS.open} <Icon shape={ExternalLink} /> <VisuallyHidden>{title}</VisuallyHidden>
        </a>
      </div>
      <iframe className={styles.frame} title={title} src={entry} />
    </section>
  )
}
