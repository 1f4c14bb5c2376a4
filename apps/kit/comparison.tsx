import type { IconNode } from 'lucide'
import { ArrowRight } from 'lucide'
import type { ReactNode } from 'react'
import styles from './comparison.module.css'
import { Icon } from './icon.tsx'

export interface Difference {
  readonly key: string
  /** A sentence in words: `You pay £12.20 more each month`. */
  readonly words: ReactNode
  readonly icon?: IconNode
}

export interface ComparedRow {
  readonly name: string
  /** One for each column. */
  readonly values: readonly string[]
}

export interface ComparisonProps {
  /** The subject of the table, for screen readers. */
  readonly caption: string
  /** The dearest first. All in the same neutral colour. */
  readonly differences: readonly Difference[]
  readonly columns: readonly string[]
  readonly rows: readonly ComparedRow[]
}

/** Shows the differences between two sets of terms: first in words, then in a table. */
export function Comparison({ caption, differences, columns, rows }: ComparisonProps) {
  return (
    <div className={styles.comparison}>
      <ul className={styles.differences}>
        {differences.map(({ key, words, icon = ArrowRight }) => (
          <li key={key} className={styles.difference}>
            <Icon shape={icon} />
            <span>{words}</span>
          </li>
        ))}
      </ul>
      {/* Large letters make it wider than a phone: it scrolls by itself, with the keyboard too. */}
      <div className={styles.wide} role="region" aria-label={caption} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <td />
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, values }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {columns.map((column, index) => (
                  <td key={column}>{values[index]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
