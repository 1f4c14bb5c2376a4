import styles from './shown-text.module.css'

/** A text that somebody decides on: wrapped, with its line breaks marked, and in its own direction. */
export function ShownText({ text }: { readonly text: string }) {
  return <bdi className={styles.text}>{text.replaceAll('\n', '↵\n')}</bdi>
}
