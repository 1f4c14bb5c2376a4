import { Button } from '../kit/index.ts'
import styles from './studio.module.css'
import { WORDS } from './words.ts'

export interface PagerProps {
  readonly page: number
  readonly last: number
  readonly range: { readonly from: number; readonly to: number; readonly of: number }
  readonly onTurn: (page: number) => void
}

export function Pager({ page, last, range, onTurn }: PagerProps) {
  const turns = [
    [WORDS.pages.first, 0],
    [WORDS.pages.earlier, Math.max(0, page - 1)],
    [WORDS.pages.later, Math.min(last, page + 1)],
    [WORDS.pages.last, last],
  ] as const
  return (
    <nav className={styles.pager} aria-label={WORDS.pages.label}>
      {turns.map(([name, to]) => (
        <Button
          key={name}
          look="secondary"
          readiness={to === page ? 'waiting' : 'ready'}
          onClick={() => onTurn(to)}
        >
          {name}
        </Button>
      ))}
      <span role="status">{WORDS.pages.range(range.from, range.to, range.of)}</span>
    </nav>
  )
}
