import { ExternalLink, FileCode, FileText } from 'lucide'
import { useState } from 'react'
import { visibleText } from 'throughline/client'
import { Icon, LinkButton, Tag, dateTime, time } from '../../../kit/index.ts'
import { KnownFace } from '../grid/known-face.tsx'
import { panelLink } from '../use-panel.ts'
import { documentsOf, kindsOf, sizeInWords } from '../view/documents.ts'
import type { TeamDocument } from '../view/documents.ts'
import type { TeamView } from '../view/team-view.ts'
import { WORDS } from '../words.ts'
import styles from './documents.module.css'
import { Filters, Find, NothingYet, PanelHead } from './panel-parts.tsx'

export interface DocumentsProps {
  readonly view: TeamView
  /** The document that is open; empty for the newest. */
  readonly shown: string
}

/** What the team wrote, with search, and one of them beside the conversation. */
export function Documents({ view, shown }: DocumentsProps) {
  const [find, setFind] = useState('')
  const [kind, setKind] = useState('')
  const all = documentsOf(view)
  const found = all.filter((each) => matches(each, find) && (kind === '' || each.category === kind))
  const open = all.find(({ filename }) => filename === shown) ?? found[0]
  if (all.length === 0) {
    return (
      <section aria-labelledby="documents-heading">
        <PanelHead title={WORDS.documents.heading} />
        <NothingYet icon={FileText} text={WORDS.documents.none} />
      </section>
    )
  }
  return (
    <section aria-label={WORDS.documents.heading}>
      <PanelHead title={WORDS.documents.heading} note={WORDS.documents.count(all.length)}>
        <Find
          label={WORDS.documents.findIn}
          placeholder={WORDS.documents.find}
          value={find}
          onChange={setFind}
        />
      </PanelHead>
      <Filters
        label={WORDS.documents.kind}
        name="kind"
        value={kind}
        options={[
          { value: '', label: `${WORDS.documents.all} ${all.length}` },
          ...kindsOf(all).map(({ category, count }) => ({
            value: category,
            label: `${titled(category)} ${count}`,
          })),
        ]}
        onChange={setKind}
      />
      {found.length === 0 && <NothingYet icon={FileText} text={WORDS.documents.noMatch} />}
      <ul className={styles.list} aria-label={WORDS.documents.list}>
        {found.map((each) => (
          <Row key={each.filename} document={each} view={view} isOpen={each === open} />
        ))}
      </ul>
      {open && <Reader document={open} view={view} />}
    </section>
  )
}

function titled(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function matches({ filename, description, category }: TeamDocument, find: string): boolean {
  const text = `${filename} ${description} ${category}`.toLowerCase()
  return find
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

interface RowProps {
  readonly document: TeamDocument
  readonly view: TeamView
  readonly isOpen: boolean
}

function Row({ document, view, isOpen }: RowProps) {
  const { filename, description, versions, newest } = document
  return (
    <li>
      <a
        className={styles.row}
        href={panelLink('documents', filename)}
        aria-current={isOpen || undefined}
      >
        <Icon shape={filename.endsWith('.html') ? FileCode : FileText} />
        <span className={styles.name}>
          <b>{visibleText(filename)}</b>
          {description !== '' && <span className={styles.meta}>{description}</span>}
        </span>
        {versions > 1 ? (
          <Tag>{WORDS.documents.version(versions)}</Tag>
        ) : document.isFresh ? (
          <Tag tone="note">{WORDS.documents.fresh}</Tag>
        ) : (
          <span />
        )}
        {newest && (
          <span className={styles.by}>
            <KnownFace agents={view.agents} name={newest.who} size="tiny" />
            <span className={styles.meta}>{WORDS.documents.by(newest.who, time(newest.ts))}</span>
          </span>
        )}
      </a>
    </li>
  )
}

function Reader({ document, view }: Omit<RowProps, 'isOpen'>) {
  const { filename, sizeBytes, versions, writes } = document
  // Its newest version is loaded when it is written anew.
  const source = `/api/artifacts/${filename.split('/').map(encodeURIComponent).join('/')}`
  return (
    <div className={styles.reader}>
      <div className={styles.bar}>
        <b>{visibleText(filename)}</b>
        <span className={styles.meta}>
          {sizeInWords(sizeBytes)}, {WORDS.documents.version(versions).toLowerCase()}
        </span>
        <span className={styles.push}>
          <LinkButton look="bare" href={source} opens="in a new tab">
            <Icon shape={ExternalLink} /> {WORDS.documents.newTab}
          </LinkButton>
        </span>
      </div>
      {writes.length > 1 && (
        <details className={styles.versions}>
          <summary>{WORDS.documents.versions}</summary>
          <ol>
            {writes.map(({ ts, who, sizeBytes: size }) => (
              <li key={ts}>
                <KnownFace agents={view.agents} name={who} size="tiny" />
                {WORDS.documents.by(who, dateTime(ts))} · {sizeInWords(size)}
              </li>
            ))}
          </ol>
        </details>
      )}
      <iframe
        key={`${filename} ${versions}`}
        title={WORDS.documents.shown(filename)}
        sandbox=""
        src={source}
      />
    </div>
  )
}
