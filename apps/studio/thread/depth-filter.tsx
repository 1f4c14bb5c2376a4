import styles from './thread.module.css'
import { WORDS } from './words.ts'

export interface DepthFilterProps {
  /** The deepest run that there is. */
  readonly deepest: number
  readonly depthMax: number
  readonly onChange: (depthMax: number) => void
}

/** Chooses the shown depth: at 0 the conversation, which has only the agents at the top. */
export function DepthFilter({ deepest, depthMax, onChange }: DepthFilterProps) {
  const last = Math.max(1, deepest, Number.isFinite(depthMax) ? depthMax : 0)
  const depths = Array.from({ length: last + 1 }, (_, depth) => depth)
  return (
    <fieldset className={styles.depths}>
      <legend className={styles.legend}>{WORDS.depthFilter.legend}</legend>
      {[...depths, Number.POSITIVE_INFINITY].map((depth) => (
        <label key={depth} className={styles.choice}>
          <input
            type="radio"
            name="depth"
            checked={depth === depthMax}
            onChange={() => onChange(depth)}
          />
          {nameOf(depth)}
        </label>
      ))}
    </fieldset>
  )
}

function nameOf(depth: number): string {
  if (depth === 0) return WORDS.depthFilter.conversation
  return Number.isFinite(depth) ? `${depth}` : WORDS.depthFilter.all
}
