import { ActorMark, SummaryList, time } from '../../kit/index.ts'
import type { Fact, FactSource } from './facts.ts'
import styles from './installer.module.css'
import { WORDS } from './words.ts'

export interface FactListProps {
  readonly title: string
  readonly facts: readonly Fact[]
}

export function FactList({ title, facts }: FactListProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      {facts.length === 0 ? (
        <p className={styles.hint}>{WORDS.missing}</p>
      ) : (
        <SummaryList
          rows={facts.map(({ name, value, source }) => ({
            name: WORDS.fact[name],
            value: <ShownFact value={value} source={source} />,
          }))}
        />
      )}
    </section>
  )
}

function ShownFact({ value, source }: Pick<Fact, 'value' | 'source'>) {
  return (
    <span className={styles.fact}>
      <span>
        <bdi>{value}</bdi>
      </span>
      <span className={styles.source}>
        <ActorMark actor={source.actor} />
        {wordsFor(source)}
      </span>
    </span>
  )
}

function wordsFor({ actor, ts }: FactSource): string {
  const when = ts === undefined ? '' : time(ts)
  switch (actor) {
    case 'model':
      return WORDS.source.model(when)
    case 'person':
      return WORDS.source.person(when)
    case 'rule':
      return WORDS.source.rule
    case 'system':
      return WORDS.source.system
  }
}
