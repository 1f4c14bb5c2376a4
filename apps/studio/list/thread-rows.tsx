import { useState } from 'react'
import { useThreads, useWaits } from 'throughline/react'
import type { ListedThreads } from 'throughline/react'
import { API, Button, EmptyState, LoadingState, Tag, dateTime } from '../../kit/index.ts'
import { FilterLink } from './filter-link.tsx'
import type { ListQuery } from './list-query.ts'
import { whereOf, withFilter } from './list-query.ts'
import styles from './list.module.css'
import { LIST_WORDS } from './words.ts'

const PAGE = 100
const LISTED_MAX = 1_000
const REFUSED = new Set([401, 403])

export interface ThreadRowsProps {
  readonly query: ListQuery
  readonly onAsk: (query: ListQuery) => void
}

/** The threads that fit the query, live, and what waits in them for the reader. */
export function ThreadRows({ query, onAsk }: ThreadRowsProps) {
  const [limit, setLimit] = useState(PAGE)
  const { app } = query
  const of = { base: API, role: 'operator', ...(app !== undefined && { app }) }
  const { status, error, threads, hasMore } = useThreads({ ...of, where: whereOf(query), limit })
  const { waits } = useWaits(of)
  if (status === 'asking') return <LoadingState label={LIST_WORDS.loading} />
  const isRefused = REFUSED.has(error?.problem?.status ?? 0)
  if (isRefused) return <p role="alert">{LIST_WORDS.refused}</p>
  return (
    <>
      {status === 'failed' && <p role="alert">{LIST_WORDS.failed}</p>}
      {status === 'live' && threads.length === 0 && <EmptyState>{LIST_WORDS.none}</EmptyState>}
      <ol className={styles.rows}>
        {threads.map((listed) => (
          <ThreadRow
            key={listed.thread}
            listed={listed}
            waits={waits.filter(({ thread }) => thread === listed.thread).length}
            query={query}
            onAsk={onAsk}
          />
        ))}
      </ol>
      {hasMore && <More limit={limit} onMore={setLimit} />}
    </>
  )
}

interface ThreadRowProps extends ThreadRowsProps {
  readonly listed: ListedThreads['threads'][number]
  readonly waits: number
}

function ThreadRow({ listed, waits, query, onAsk }: ThreadRowProps) {
  const { thread, app, head, ts, values = {} } = listed
  return (
    <li>
      <a href={encodeURIComponent(thread)} className={styles.name}>
        <bdi>{thread}</bdi>
      </a>
      <p className={styles.meta}>
        {LIST_WORDS.records(head)}
        {ts !== undefined && `, ${LIST_WORDS.moved(dateTime(ts))}`}
      </p>
      <ul className={styles.values}>
        {app !== undefined && (
          <li>
            <FilterLink query={{ ...query, app }} onAsk={onAsk}>
              {LIST_WORDS.app(app)}
            </FilterLink>
          </li>
        )}
        {Object.entries(values).map(([name, value]) => (
          <li key={name}>
            <FilterLink query={withFilter(query, { name, value: String(value) })} onAsk={onAsk}>
              {LIST_WORDS.value(name, String(value))}
            </FilterLink>
          </li>
        ))}
        <WaitCount count={waits} />
      </ul>
    </li>
  )
}

interface MoreProps {
  readonly limit: number
  readonly onMore: (limit: number) => void
}

function More({ limit, onMore }: MoreProps) {
  if (limit >= LISTED_MAX) return <p className={styles.meta}>{LIST_WORDS.most}</p>
  return (
    <Button look="quiet" onClick={() => onMore(Math.min(LISTED_MAX, limit * 2))}>
      {LIST_WORDS.more}
    </Button>
  )
}

function WaitCount({ count }: { readonly count: number }) {
  if (count === 0) return null
  return (
    <li>
      <Tag tone="warning">{LIST_WORDS.waits(count)}</Tag>
    </li>
  )
}
