import type { Actor } from '../../kit/index.ts'
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
        <ActorMark actor={actorFor(source)} />
        {wordsFor(source)}
      </span>
    </span>
  )
}

export function actorFor(source: FactSource): Actor {
  if (source.from === 'record') return source.actor
  return source.from === 'rule' ? 'rule' : 'system'
}

function wordsFor(source: FactSource): string {
  if (source.from !== 'record') return WORDS.source[source.from]
  const when = time(source.ts)
  return source.actor === 'model' ? WORDS.source.said(when) : WORDS.source.typed(when)
}
