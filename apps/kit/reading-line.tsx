import styles from './reading-line.module.css'

/** A line that fills as the page scrolls. It shows how much is left and disables nothing. */
export function ReadingLine() {
  return (
    <div className={styles.line} aria-hidden="true">
      <div className={styles.read} />
    </div>
  )
}
