import styles from './now.module.css'

/** Turns while something is being done; words beside it say what. */
export function Spinner() {
  return <span className={styles.spin} aria-hidden="true" />
}
