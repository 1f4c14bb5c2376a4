import type { ReactNode } from 'react'
import styles from './file-section.module.css'

/** The things that a part of the file pane lists. */
export function ItemList({ children }: { readonly children: ReactNode }) {
  return <ol className={styles.items}>{children}</ol>
}
