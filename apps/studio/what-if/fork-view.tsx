import { useContext, useMemo } from 'react'
import { useThread } from 'throughline/react'
import {
  API,
  Banner,
  Button,
  inBackground,
  sessionRequest,
  Tag,
  threadUrl,
} from '../../kit/index.ts'
import { MatchedList } from '../compare/matched-list.tsx'
import { matchedRows } from '../compare/matched-rows.ts'
import { StateDifference } from '../compare/state-difference.tsx'
import { COMPARE_WORDS } from '../compare/words.ts'
import { tellThread } from '../description.ts'
import { HashText } from '../hash-text.tsx'
import type { Told } from '../story/index.ts'
import { ThreadContext } from '../thread-context.ts'
import { useAnswer } from '../use-answer.ts'
import { recordsIn } from '../use-thread-start.ts'
import { ForkForms } from './fork-forms.tsx'
import styles from './what-if.module.css'
import { WHAT_IF_WORDS } from './words.ts'

/** Records of the origin after the fork that are shown beside it. */
const ORIGIN_RECORDS_MAX = 1_000

export interface ForkShown {
  readonly fork: string
  readonly thread: string
  /** The last record that it has in common with its origin. */
  readonly at: number
  readonly hash: string
  readonly sameHashes: boolean
  /** Tools that were called without an answer on record. */
  readonly missed: readonly string[]
}

export interface ForkViewProps {
  readonly shown: ForkShown
  readonly onChanged: () => void
  readonly onEnd: () => void
  readonly onSelect: (seq: number) => void
}

/** A fork beside what happened: both as the operator reads them, live. */
export function ForkView({ shown, onChanged, onEnd, onSelect }: ForkViewProps) {
  const { fork, thread, at, hash, sameHashes, missed } = shown
  const { description } = useContext(ThreadContext)
  const origin = threadUrl(thread)
  const own = `${API}/forks/${fork}/threads/${encodeURIComponent(thread)}`
  const happened = useAnswer(`${origin}/events?after=${at}&limit=${ORIGIN_RECORDS_MAX}`, {
    version: 'fixed',
    role: 'operator',
  })
  const live = useThread({ url: `${own}/events`, role: 'operator', records: true, after: at })
  const before = useMemo(
    () =>
      happened.status === 'answered' ? tellThread(recordsIn(happened.value), description) : [],
    [happened, description],
  )
  const after = useMemo(() => tellThread(live.records, description), [live.records, description])
  const rows = matchedRows(mattered(before), mattered(after))
  const end = (): void => {
    const remove = (url: string, init: RequestInit) => fetch(url, { ...init, method: 'DELETE' })
    inBackground(sessionRequest(`${API}/forks/${fork}`, 'operator', { fetch: remove }).then(onEnd))
  }
  return (
    <>
      <section className={styles.begin}>
        <p>
          <Tag>{WHAT_IF_WORDS.fork(at)}</Tag>{' '}
          {sameHashes ? WHAT_IF_WORDS.same : WHAT_IF_WORDS.opened}
        </p>
        {hash !== '' && <HashText>{hash}</HashText>}
        {missed.length > 0 && (
          <Banner tone="warning">{WHAT_IF_WORDS.missed(missed.join(', '))}</Banner>
        )}
        <Button look="quiet" onClick={end}>
          {WHAT_IF_WORDS.end}
        </Button>
      </section>
      <ForkForms own={own} next={before.find(isOfDomain)} onDone={onChanged} />
      <section className={styles.card} aria-label={COMPARE_WORDS.records}>
        <div className={styles.sides}>
          <b>{WHAT_IF_WORDS.happened}</b>
          <b>{WHAT_IF_WORDS.inFork}</b>
        </div>
        {rows.length === 0 && <p className={styles.nothing}>{WHAT_IF_WORDS.nothing}</p>}
        <MatchedList rows={rows} isOneThread={false} onSelect={onSelect} />
      </section>
      {live.seq > at && (
        <StateDifference
          key={live.seq}
          a={{ url: `${origin}/state`, role: 'operator', isOwn: false }}
          b={{ url: `${own}/state`, role: 'operator', isOwn: false }}
        />
      )}
    </>
  )
}

function mattered(story: readonly Told[]): readonly Told[] {
  return story.filter(({ weight }) => weight === 'mattered')
}

/** Whether somebody proposed it: it can be proposed again, otherwise. */
function isOfDomain({ record: { type, origin } }: Told): boolean {
  return !/^[A-Z_]+$/.test(type) && origin.source === 'ui'
}
