import { X } from 'lucide'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { Button, IconButton, TextField, number } from '../kit/index.ts'
import type { AuditQuery } from './audit-query.ts'
import { WATCHED_MAX } from './audit-query.ts'
import type { WatchedPath } from './use-watched.ts'
import styles from './watch-list.module.css'
import { WORDS } from './words.ts'

export interface WatchListProps {
  readonly watched: readonly WatchedPath[]
  readonly onAsk: (change: Partial<AuditQuery>) => void
}

/** The paths of the state whose values stand beside the rows. */
export function WatchList({ watched, onAsk }: WatchListProps) {
  const [path, setPath] = useState('')
  const [error, setError] = useState<string>()
  const paths = watched.map((each) => each.path)
  const add = (event: SubmitEvent): void => {
    event.preventDefault()
    const given = path.trim()
    if (!given.startsWith('/')) return setError(WORDS.watch.wrong)
    setError(undefined)
    setPath('')
    if (!paths.includes(given)) onAsk({ watched: [...paths, given] })
  }
  return (
    <section className={styles.watch} aria-label={WORDS.watch.label}>
      <h3 className={styles.name}>{WORDS.watch.label}</h3>
      <ul>
        {watched.map((each) => (
          <li key={each.path} className={styles.path}>
            <code>{each.path}</code>
            <span className={styles.count}>{countIn(each)}</span>
            <IconButton
              icon={X}
              label={WORDS.watch.remove(each.path)}
              onClick={() => onAsk({ watched: paths.filter((other) => other !== each.path) })}
            />
          </li>
        ))}
      </ul>
      {paths.length < WATCHED_MAX && (
        <form onSubmit={add} className={styles.form}>
          <TextField
            id="watch"
            label={WORDS.watch.path}
            hint={WORDS.watch.hint}
            value={path}
            maxLength={200}
            error={error}
            onChange={setPath}
          />
          <Button look="bare" type="submit">
            {WORDS.watch.add}
          </Button>
        </form>
      )}
    </section>
  )
}

function countIn({ status, steps }: WatchedPath): string {
  if (status === 'asking') return WORDS.watch.loading
  return status === 'failed' ? WORDS.watch.failed : number(Math.max(0, steps.length - 1))
}
