import { threadUrl } from '../kit/index.ts'
import { useContext } from 'react'
import { ChangeLines } from './change-lines.tsx'
import { reasonsIn } from './changes.ts'
import type { ChangeReason } from './changes.ts'
import styles from './changes.module.css'
import type { PaneProps } from './description.ts'
import { FailedAnswer } from './failed-answer.tsx'
import { RecordLink } from './record-link.tsx'
import { firstWords, whoOf } from './story/index.ts'
import { ThreadContext } from './thread-context.ts'
import { useAnswer } from './use-answer.ts'
import { WORDS } from './words.ts'

/** Records that are listed, the newest ones. */
const REASONS_SHOWN_MAX = 50
const ASKED_CHARS_MAX = 240

export type ValueHistoryProps = Pick<PaneProps, 'thread' | 'reveal' | 'onSelect'> & {
  /** The record up to which it tells. */
  readonly at: number
  /** A JSON pointer into the state. */
  readonly path: string
}

/** What led to the value at a path, and every record that set it. */
export function ValueHistory({ thread, at, path, reveal, onSelect }: ValueHistoryProps) {
  const query = new URLSearchParams({ path, at: `${at}` })
  const url = `${threadUrl(thread)}/why?${query}`
  const answer = useAnswer(url, { version: 'fixed', reveal })
  if (answer.status === 'asking') return <p role="status">{WORDS.changes.loading}</p>
  if (answer.status === 'failed') {
    return <FailedAnswer onAgain={answer.again}>{WORDS.changes.failed}</FailedAnswer>
  }
  const reasons = reasonsIn(answer.value)
  const own = reasons.find(({ seq }) => seq === at)
  const shown = reasons.slice(-REASONS_SHOWN_MAX)
  return (
    <>
      {own && <LedHere reason={own} onSelect={onSelect} />}
      <section>
        <h3>{WORDS.changes.history(path === '' ? WORDS.changes.whole : path)}</h3>
        {shown.length < reasons.length && (
          <p className={styles.meta}>{WORDS.changes.latest(shown.length)}</p>
        )}
        <table className={styles.history}>
          <thead>
            <tr>
              <th scope="col">{WORDS.changes.columns.record}</th>
              <th scope="col">{WORDS.changes.columns.change}</th>
              <th scope="col">{WORDS.changes.columns.by}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ seq, changes, origin }) => (
              <tr key={seq}>
                <td>
                  <RecordLink seq={seq} onSelect={onSelect}>
                    {seq}
                  </RecordLink>
                </td>
                <td>
                  <ChangeLines changes={changes} />
                </td>
                <td>{origin ? whoOf(origin) : WORDS.changes.hiddenRecord}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

interface LedHereProps {
  readonly reason: ChangeReason
  readonly onSelect: (seq: number) => void
}

/** The message, the rule and the record that the selected record follows from, and the tag that a model wrote. */
function LedHere({ reason: { origin, cause, tag, asked }, onSelect }: LedHereProps) {
  const { rules } = useContext(ThreadContext).description
  const rule = origin?.rule
  return (
    <section>
      <h3>{WORDS.changes.ledHere}</h3>
      <ul className={styles.led}>
        {asked && (
          <li dir="auto">
            {WORDS.changes.asked(firstWords(asked.text, ASKED_CHARS_MAX))}{' '}
            <RecordLink seq={asked.seq} onSelect={onSelect} />
          </li>
        )}
        {cause !== undefined && (
          <li>
            {WORDS.changes.cause} <RecordLink seq={cause} onSelect={onSelect} />
          </li>
        )}
        {origin && (
          <li>
            {rule === undefined
              ? WORDS.changes.proposed(whoOf(origin))
              : (rules?.get(rule) ?? WORDS.changes.rule(rule))}
          </li>
        )}
        {tag !== undefined && tag !== '' && (
          <li>
            {WORDS.changes.tag} <code className={styles.tag}>{tag}</code>
          </li>
        )}
      </ul>
    </section>
  )
}
