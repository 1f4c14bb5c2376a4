import { REDACTED } from 'throughline/client'
import type { Json } from 'throughline/client'
import { VisuallyHidden } from '../kit/index.ts'
import type { ValueChange } from './changes.ts'
import styles from './changes.module.css'
import { firstWords } from './story/index.ts'
import { WORDS } from './words.ts'

/** Changes that are listed; the records and the state hold all of them. */
const CHANGES_SHOWN_MAX = 40
const VALUE_CHARS_MAX = 240

export interface ChangeLinesProps {
  readonly changes: readonly ValueChange[]
  /** Makes each path a button. */
  readonly onPath?: (path: string) => void
}

/** The members of the state that a record changed, each with its sign, its path and its values. */
export function ChangeLines({ changes, onPath }: ChangeLinesProps) {
  const more = changes.length - CHANGES_SHOWN_MAX
  return (
    <>
      <ul className={styles.lines}>
        {changes.slice(0, CHANGES_SHOWN_MAX).map((change) => (
          <ChangeLine key={change.path} change={change} onPath={onPath} />
        ))}
      </ul>
      {more > 0 && <p className={styles.meta}>{WORDS.changes.more(more)}</p>}
    </>
  )
}

interface ChangeLineProps {
  readonly change: ValueChange
  readonly onPath: ChangeLinesProps['onPath']
}

function ChangeLine({ change: { kind, path, before, after }, onPath }: ChangeLineProps) {
  const shown = path === '' ? WORDS.changes.whole : path
  const values = [before, after].filter((value) => value !== undefined).map(valueText)
  return (
    <li className={styles.line} data-kind={kind}>
      <span aria-hidden="true">{SIGNS[kind]}</span>
      <span>
        <VisuallyHidden>{WORDS.changes.kinds[kind]} </VisuallyHidden>
        {onPath ? (
          <button
            type="button"
            className={styles.path}
            aria-label={WORDS.changes.historyOf(shown)}
            onClick={() => onPath(path)}
          >
            {shown}
          </button>
        ) : (
          shown
        )}
        : <bdi>{values.join(' → ')}</bdi>
      </span>
    </li>
  )
}

const SIGNS = { added: '+', changed: '~', removed: '−' } as const

function valueText(value: Json): string {
  if (value === REDACTED) return WORDS.changes.hidden
  const text = typeof value === 'string' ? `“${value}”` : JSON.stringify(value)
  const start = firstWords(text, VALUE_CHARS_MAX)
  return start.length < text.length ? `${start}…` : text
}
