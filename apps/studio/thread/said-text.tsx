import type { SaidItem } from 'throughline/client'
import { Disclosure } from '../../kit/index.ts'
import styles from './run.module.css'
import { WORDS } from './words.ts'

/** A model's text, as it arrives; the text of a failed attempt stays, and is marked. */
export function SaidText({ item: { text, status } }: { readonly item: SaidItem }) {
  const marked = status === 'failed' || status === 'stopped' || status === 'cut'
  return (
    <div className={`${styles.said} ${marked ? styles.broken : ''}`}>
      <p className={styles.text}>{text}</p>
      {marked && <p className={styles.note}>{WORDS.said[status]}</p>}
    </div>
  )
}

export function Reasoning({ item: { text, status } }: { readonly item: SaidItem }) {
  const words = status === 'streaming' ? WORDS.reasoningNow : WORDS.reasoning
  return <Disclosure summary={words}>{() => <p className={styles.thought}>{text}</p>}</Disclosure>
}
