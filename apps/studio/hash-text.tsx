import styles from './hash-text.module.css'

/** A hash in full, on a line of its own. */
export function HashText({ children }: { readonly children: string }) {
  return <code className={styles.hash}>{children}</code>
}
