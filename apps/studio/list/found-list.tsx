import { Button, LinkButton, dateTime } from '../../kit/index.ts'
import styles from './list.module.css'
import { useSearch } from './use-search.ts'
import type { Searched, SearchTerms } from './use-search.ts'
import { LIST_WORDS } from './words.ts'

const WORDED = LIST_WORDS.search

export interface FoundListProps extends SearchTerms {
  /** The address of the list without the search. */
  readonly listHref: string
}

/** The records in which a text was found, each with a link to its place. */
export function FoundList({ listHref, ...terms }: FoundListProps) {
  const [searched, goOn] = useSearch(terms)
  const { found, status } = searched
  return (
    <section aria-labelledby="found">
      <div className={styles.head}>
        <h2 id="found">{WORDED.title(terms.text, terms.app)}</h2>
        <LinkButton look="quiet" href={listHref}>
          {WORDED.clear}
        </LinkButton>
      </div>
      <ol className={styles.rows}>
        {found.map(({ thread, seq, ts, type, text }) => (
          <li key={`${thread} ${seq}`}>
            <a href={`${encodeURIComponent(thread)}?view=all&ev=${seq}`}>
              {WORDED.record(thread, seq)}
            </a>
            <p className={styles.excerpt}>
              <Marked text={text} wanted={terms.text} />
            </p>
            <p className={styles.meta}>
              {type}, {dateTime(ts)}
            </p>
          </li>
        ))}
      </ol>
      <p role="status" className={styles.meta}>
        {stands(searched)}
      </p>
      {(status === 'paused' || status === 'failed') && (
        <Button look="quiet" onClick={goOn}>
          {WORDED.on}
        </Button>
      )}
    </section>
  )
}

function stands({ status, found, threads, records, unread, next }: Searched): string {
  const read = WORDED.progress(threads, records)
  const progress = unread === 0 ? read : `${read}. ${WORDED.unread(unread)}`
  if (status === 'searching') return `${WORDED.searching}… ${progress}`
  if (status === 'failed') return `${WORDED.failed} ${progress}`
  if (next !== undefined) return progress
  return [found.length === 0 ? WORDED.none : unread > 0 ? '' : WORDED.whole, progress].join(' ')
}

/** Marks the first place where the text says what was searched, in the same spelling. */
function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }) {
  const at = text.toLowerCase().indexOf(wanted.trim().toLowerCase())
  if (at < 0) return <bdi>{text}</bdi>
  const end = at + wanted.trim().length
  return (
    <bdi>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </bdi>
  )
}
