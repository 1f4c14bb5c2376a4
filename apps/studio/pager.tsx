import { Button, reconnect } from '../kit/index.ts'
import type { Connection } from './connection.ts'
import styles from './studio.module.css'
import { WORDS } from './words.ts'

export interface PagerProps {
  readonly connection: Connection
  readonly page: number
  readonly last: number
  readonly range: { readonly from: number; readonly to: number; readonly of: number }
  /** New rows that the reader has not reached. */
  readonly unreached: number
  readonly onTurn: (page: number) => void
  readonly onFollow: () => void
}

export function Pager(props: PagerProps) {
  const { connection, page, last, range, unreached, onTurn, onFollow } = props
  const turns = [
    [WORDS.pages.first, 0],
    [WORDS.pages.earlier, Math.max(0, page - 1)],
    [WORDS.pages.later, Math.min(last, page + 1)],
    [WORDS.pages.last, last],
  ] as const
  return (
    <nav className={styles.pager} aria-label={WORDS.pages.label}>
      {unreached > 0 && (
        <Button look="primary" onClick={onFollow}>
          {WORDS.pages.unreached(unreached)}
        </Button>
      )}
      {last > 0 &&
        turns.map(([name, to]) => (
          <Button
            key={name}
            look="quiet"
            readiness={to === page ? 'waiting' : 'ready'}
            onClick={() => onTurn(to)}
          >
            {name}
          </Button>
        ))}
      <span role="status">
        {WORDS.pages.range(range.from, range.to, range.of)}
        {connection === 'lost' && <strong className={styles.lost}> {WORDS.pages.lost}</strong>}
      </span>
      {connection === 'lost' && (
        <Button look="quiet" onClick={reconnect}>
          {WORDS.tryAgain}
        </Button>
      )}
    </nav>
  )
}
