import { textOf } from 'throughline/client'
import type { LogRecord } from 'throughline/client'
import { SummaryList } from '../../kit/index.ts'
import { FailedAnswer, HashText, Verdict, useAnswer } from '../../studio/index.ts'
import type { VerdictProps } from '../../studio/index.ts'
import { shownTextOf } from './shown-text.ts'
import type { ShownTextName } from './shown-text.ts'
import styles from './panes.module.css'
import type { TextHash } from './use-text-hash.ts'
import { useTextHash } from './use-text-hash.ts'
import { WORDS } from './words.ts'

/** The text that a record is about, in the details of the record. */
export function ShownTextDetails({ record }: { readonly record: LogRecord }) {
  const shown = shownTextOf(record)
  if (!shown) return null
  return (
    <section>
      <h3>{WORDS.shown.title}</h3>
      <ShownText shown={shown} />
    </section>
  )
}

/** Exactly the version of a disclosure that a record names, and whether its text is the recorded one. */
export function ShownText({ shown }: { readonly shown: ShownTextName }) {
  if (shown.version === undefined) return <p>{WORDS.shown.unnamed}</p>
  return <VersionText id={shown.id} version={shown.version} recorded={shown.contentHash} />
}

interface VersionTextProps {
  readonly id: string
  readonly version: number
  readonly recorded: string
}

function VersionText({ id, version, recorded }: VersionTextProps) {
  const answer = useAnswer(`/api/disclosures/${encodeURIComponent(id)}?version=${version}`, {
    version: id,
  })
  if (answer.status === 'asking') return <p role="status">{WORDS.shown.loading}</p>
  if (answer.status === 'failed') {
    return <FailedAnswer onAgain={answer.again}>{WORDS.shown.failed}</FailedAnswer>
  }
  const [title, body] = [textOf(answer.value, 'title'), textOf(answer.value, 'body')]
  return <ComparedText title={title} body={body} version={version} recorded={recorded} />
}

interface ComparedTextProps {
  readonly title: string
  readonly body: string
  readonly version: number
  readonly recorded: string
}

function ComparedText({ title, body, version, recorded }: ComparedTextProps) {
  const hash = useTextHash(body)
  const { look, sign, words } = verdictOf(hash, recorded)
  return (
    <div className={styles.shown}>
      <SummaryList
        rows={[
          { name: WORDS.shown.name, value: title },
          { name: WORDS.shown.version, value: `${version}` },
          { name: WORDS.shown.recorded, value: <HashText>{recorded}</HashText> },
          { name: WORDS.shown.computed, value: <HashText>{computedOf(hash)}</HashText> },
        ]}
      />
      <p>
        <Verdict look={look} sign={sign}>
          {words}
        </Verdict>
      </p>
      {/* Unchanged, with all blanks: the hash is of this text. */}
      <blockquote className={styles.body} dir="auto" aria-label={WORDS.shown.body}>
        {body}
      </blockquote>
    </div>
  )
}

type Judged = Pick<VerdictProps, 'look' | 'sign'> & { readonly words: string }

function computedOf(hash: TextHash): string {
  if (hash.status === 'hashed') return hash.hash
  return hash.status === 'working' ? WORDS.shown.working : WORDS.shown.unable
}

function verdictOf(hash: TextHash, recorded: string): Judged {
  if (recorded === '') return { look: 'unknown', sign: '?', words: WORDS.shown.none }
  if (hash.status === 'working') return { look: 'unknown', sign: '…', words: WORDS.shown.working }
  if (hash.status === 'unable') return { look: 'unknown', sign: '?', words: WORDS.shown.unable }
  return hash.hash === recorded
    ? { look: 'ok', sign: '✓', words: WORDS.shown.same }
    : { look: 'broken', sign: '✕', words: WORDS.shown.other }
}
